#include "cubin/nvinfo.h"
#include "merge/merge.h"

/*
 * Code that allocates tensor memory keeps account of it in reserved shared memory. CUDA 13.0 does so
 * in another way than releases before it, so that a program must have one or the other. Variables
 * and entry fragments tell which; code that only computes with tensor memory goes with both.
 */

/* nvlink says so for each variable and each list. */
static void
note_way(struct elfw *elfw, const struct object *object, enum tensor_memory way)
{
    if (way && !elfw->tensor_memory)
        elfw->tensor_memory = way;
    if (way && elfw->tensor_memory != way)
        diag_error(elfw->diag,
                   "Object '%s' cannot be linked due to version mismatch. Objects using tcgen05 in "
                   "12.x cannot be linked with 13.0 or later, they must be rebuilt with latest "
                   "compiler",
                   object->name);
}

/* The variable for debuggers is common to both ways. */
static enum tensor_memory
way_of_variable(const char *name)
{
    static const struct {
        const char *name;
        enum tensor_memory way;
    } variables[] = {
        {"__nv_reservedSMEM_allocation_phase", TENSOR_MEMORY_12},
        {"__nv_reservedSMEM_allocation_mask", TENSOR_MEMORY_12},
        {"__nv_reservedSMEM_tcgen05_partition", TENSOR_MEMORY_13},
    };

    for (size_t i = 0; i < sizeof variables / sizeof *variables; i++)
        if (!strcmp(name, variables[i].name))
            return variables[i].way;
    return NO_TENSOR_MEMORY;
}

static bool
is_in_reserved(const struct elf_view *elf, uint32_t symbol)
{
    uint32_t section = elf_symbol_section(elf, symbol);

    return section < elf->section_count &&
           elf->sections[section].sh_type == SHT_CUDA_SHARED_RESERVED;
}

void
check_tensor_variables(struct elfw *elfw, const struct object *object)
{
    for (uint32_t i = 1; i < object->elf.symbol_count; i++)
        if (is_in_reserved(&object->elf, i))
            note_way(elfw, object, way_of_variable(elf_symbol_name(&object->elf, i)));
}

/* Fragments that set the account up, for one CTA and for a pair. The last of a list counts. */
static enum tensor_memory
way_of_fragments(struct bytes numbers)
{
    static const enum tensor_memory ways[] = {
        [4] = TENSOR_MEMORY_12,
        [5] = TENSOR_MEMORY_12,
        [6] = TENSOR_MEMORY_13,
        [7] = TENSOR_MEMORY_13,
    };
    enum tensor_memory way = NO_TENSOR_MEMORY;

    for (size_t at = 0; at + sizeof(uint32_t) <= numbers.size; at += sizeof(uint32_t)) {
        uint32_t number = read_u32(numbers.at + at);
        if (number < sizeof ways / sizeof *ways && ways[number])
            way = ways[number];
    }
    return way;
}

void
check_tensor_fragments(struct elfw *elfw, const struct object *object, struct bytes records)
{
    struct info_record record;
    size_t offset = 0;

    while (info_next(records, &offset, &record))
        if (record.attribute == EIATTR_AT_ENTRY_FRAGMENTS)
            note_way(elfw, object, way_of_fragments(record.payload));
}
