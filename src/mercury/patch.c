#include "mercury/capsule.h"
#include "mercury/mercury.h"
#include "mercury/split.h"
#include "relocate/entry_walk.h"
#include "relocate/relocate.h"

#include <stdlib.h>

/* The offset of a constant, for the record of a SASS instruction. */
struct capsule_patch {
    uint32_t instruction;
    uint32_t value;
};

typedef ARRAY(struct capsule_patch) patch_list;

static int
compare_patches(const void *a, const void *b)
{
    const struct capsule_patch *x = a, *y = b;
    return x->instruction < y->instruction ? -1 : x->instruction > y->instruction;
}

/* By instruction. Compilers write relocations from the last to the first. */
static void
order_patches(struct capsule_patch *patches, uint32_t count)
{
    bool ascends = true;

    for (uint32_t low = 0, high = count; low + 1 < high; low++) {
        struct capsule_patch patch = patches[low];
        patches[low] = patches[--high];
        patches[high] = patch;
    }
    for (uint32_t i = 1; i < count; i++)
        ascends &= patches[i - 1].instruction <= patches[i].instruction;
    if (!ascends)
        qsort(patches, count, sizeof *patches, compare_patches);
}

/* The end of a record holds the offset in the bank. */
static void
write_patches(struct bytes capsule, uint8_t *copy, const patch_list *patches)
{
    struct capsule_reader reader = capsule_open(capsule);
    struct capsule_entry entry = {0};

    for (uint32_t i = 0; i < patches->count; i++) {
        uint32_t instruction = patches->at[i].instruction;

        while (entry.first + entry.count <= instruction) {
            capsule_pass(&reader, instruction - reader.instruction);
            if (!capsule_next(&reader, &entry))
                return;
        }
        if (entry.size >= SASS_INSTRUCTION)
            write_u32(copy + entry.record + entry.size - sizeof(uint32_t), patches->at[i].value);
    }
}

/* Constants that were applied to code, as far as a record of the capsule may have room for them. */
static void
list_patches(struct elfw *elfw, uint32_t table, patch_list *patches)
{
    struct entry_walk walk;

    open_walk(&walk, elfw, table, 1u << RELOC_APPLY);
    patches->count = 0;
    while (next_entry(&walk)) {
        uint64_t value = walk.resolved.value.symbol + walk.resolved.value.addend;
        uint64_t instruction = walk.own.offset / SASS_INSTRUCTION;

        if (walk.entry.type == R_MERCURY_ABS16)
            value &= UINT16_MAX;
        else if (walk.entry.type != R_MERCURY_ABS32)
            continue;
        array_push(patches, elfw->arena,
                   ((struct capsule_patch){(uint32_t)instruction, (uint32_t)value}));
    }
    order_patches(patches->at, patches->count);
}

static void
patch_capsule(struct elfw *elfw, uint32_t table, patch_list *patches)
{
    uint32_t text = elfw_section(elfw, table)->target;
    struct section *capsule = elfw_section(elfw, elfw_section(elfw, text)->twin);
    struct bytes bytes = capsule_bytes(elfw, capsule);

    list_patches(elfw, table, patches);
    if (!patches->count)
        return;
    capsule->contents = arena_alloc(elfw->arena, bytes.size);
    memcpy(capsule->contents, bytes.at, bytes.size);
    write_patches(bytes, capsule->contents, patches);
}

void
mercury_finish_code(struct elfw *elfw)
{
    patch_list patches = {0};

    for (uint32_t i = 0; i < elfw->tables.count; i++) {
        const struct section *table = &elfw->sections.at[elfw->tables.at[i]];
        if (table->follows_twin && elfw->sections.at[table->target].flags & SHF_EXECINSTR &&
            relocate_has_patches(elfw, elfw->tables.at[i]))
            patch_capsule(elfw, elfw->tables.at[i], &patches);
    }
    if (elfw->sass_slots)
        move_image_reads(elfw);
}
