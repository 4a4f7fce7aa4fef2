#include "cubin/nvinfo.h"
#include "merge/merge.h"

/*
 * Code that allocates tensor memory keeps account of it in reserved shared memory. CUDA 13.0 does so
 * in another way than releases before it, so that a program must have one or the other.
 */

/* The variables of either way; that for debuggers is common to both. */
static bool
keeps_account(const char *name)
{
    static const char *const names[] = {
        "__nv_reservedSMEM_allocation_phase",
        "__nv_reservedSMEM_allocation_mask",
        "__nv_reservedSMEM_tcgen05_partition",
    };

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcmp(name, names[i]))
            return true;
    return false;
}

static bool
is_in_reserved(const struct elf_view *elf, uint32_t symbol)
{
    uint32_t section = elf_symbol_section(elf, symbol);

    return section < elf->section_count &&
           elf->sections[section].sh_type == SHT_CUDA_SHARED_RESERVED;
}

static uint32_t
count_variables(const struct elf_view *elf)
{
    uint32_t count = 0;

    for (uint32_t i = 1; i < elf->symbol_count; i++)
        count += is_in_reserved(elf, i) && keeps_account(elf_symbol_name(elf, i));
    return count;
}

static uint32_t
count_records(const struct elf_view *elf)
{
    uint32_t count = 0;

    for (uint32_t i = 1; i < elf->section_count; i++) {
        struct info_record record;
        size_t offset = 0;

        if (elf->sections[i].sh_type != SHT_CUDA_INFO)
            continue;
        for (struct bytes records = elf_contents(elf, i); info_next(records, &offset, &record);)
            count += record.attribute == EIATTR_TCGEN05_1CTA_USED ||
                     record.attribute == EIATTR_TCGEN05_2CTA_USED;
    }
    return count;
}

void
check_tensor_memory(struct elfw *elfw, const struct object *object)
{
    enum tensor_memory here = object->elf.is_of_cuda_12 ? TENSOR_MEMORY_12 : TENSOR_MEMORY_13;
    uint32_t uses = count_variables(&object->elf) + count_records(&object->elf);

    if (uses && !elfw->tensor_memory)
        elfw->tensor_memory = here;
    /* nvlink says so for each use. */
    for (uint32_t i = 0; i < uses && elfw->tensor_memory != here; i++)
        diag_error(elfw->diag,
                   "Object '%s' cannot be linked due to version mismatch. Objects using tcgen05 in "
                   "12.x cannot be linked with 13.0 or later, they must be rebuilt with latest "
                   "compiler",
                   object->name);
}
