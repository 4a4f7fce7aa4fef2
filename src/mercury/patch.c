#include "mercury/capsule.h"
#include "mercury/mercury.h"
#include "relocate/resolve.h"

#include <stdlib.h>

/*
 * Offsets of mercury code do not tell where in the capsule an instruction is, those of SASS do. So
 * the relocations of the two views are paired: they stand at the same instructions, in the same
 * order.
 */

#define CAPACITY_SYMBOL ".nv.reservedSmem.cap" /* only mercury refers to it */

struct located {
    uint64_t offset;
    struct reloc_entry entry;
};

struct located_list {
    struct located *at;
    uint32_t count;
};

static int
compare_located(const void *a, const void *b)
{
    const struct located *x = a, *y = b;
    return x->offset < y->offset ? -1 : x->offset > y->offset;
}

static struct located_list
sorted_entries(const struct reloc_place *place)
{
    const struct reloc_piece *piece = place->piece;
    size_t size = entry_size(piece);
    struct located_list list = {
        .at = arena_array(place->elfw->arena, piece->entries.size / size + 1, sizeof *list.at),
    };

    for (size_t at = 0; at + size <= piece->entries.size; at += size) {
        struct reloc_entry entry = read_entry(piece, at);
        if (!strcmp(elf_symbol_name(&place->object->elf, entry.symbol), CAPACITY_SYMBOL))
            continue;
        list.at[list.count++] = (struct located){entry.offset, entry};
    }
    qsort(list.at, list.count, sizeof *list.at, compare_located);
    return list;
}

/* The end of a record holds the offset in the bank. */
static void
patch_record(const struct reloc_place *place, const struct reloc_entry *entry, uint8_t *end)
{
    struct resolution resolved = resolve_entry(place, entry);
    uint64_t value = resolved.value.symbol + resolved.value.addend;

    if (resolved.verdict == RELOC_APPLY)
        write_u32(end - sizeof(uint32_t),
                  (uint32_t)(entry->type == R_MERCURY_ABS16 ? value & UINT16_MAX : value));
}

static void
patch_capsule(struct elfw *elfw, const struct section *capsule, const struct reloc_piece *mercury,
              const struct reloc_piece *sass, uint8_t *bytes)
{
    struct reloc_place place = place_of(elfw, elfw_section(elfw, capsule->twin)->twin, mercury);
    struct reloc_place sass_place = place_of(elfw, capsule->twin, sass);
    struct located_list there = sorted_entries(&place), here = sorted_entries(&sass_place);
    struct capsule_reader reader = capsule_open((struct bytes){bytes, capsule->size});
    struct capsule_entry entry = {0};

    if (here.count != there.count)
        diag_damaged(elfw->diag, place.object->name,
                     elf_section_name(&place.object->elf, mercury->input), 0,
                     "%u relocations, and %u in the other view", there.count, here.count);
    for (uint32_t i = 0; i < here.count; i++) {
        uint32_t type = there.at[i].entry.type;

        while (entry.first + entry.count <= here.at[i].offset / SASS_INSTRUCTION)
            if (!capsule_next(&reader, &entry))
                return;
        if ((type == R_MERCURY_ABS16 || type == R_MERCURY_ABS32) && entry.size >= SASS_INSTRUCTION)
            patch_record(&place, &there.at[i].entry, bytes + entry.record + entry.size);
    }
}

static uint32_t
text_relocations(const struct elfw *elfw, const struct section *capsule)
{
    uint32_t table = elfw_function(elfw, capsule->owner)->first_owned;

    while (table && (elfw_section(elfw, table)->type != SHT_RELA ||
                     elfw_section(elfw, table)->target != capsule->twin))
        table = elfw_section(elfw, table)->next_owned;
    return table;
}

void
mercury_finish_capsule(struct elfw *elfw, uint32_t index, uint8_t *image)
{
    const struct section *capsule = elfw_section(elfw, index);
    uint8_t *bytes = image + capsule->output_offset;
    uint32_t table = text_relocations(elfw, capsule);

    capsule_set_text(bytes, elfw_section(elfw, capsule->twin)->output_index);
    if (!table)
        return;
    uint32_t here = elfw_section(elfw, table)->first_piece;
    uint32_t there = elfw_section(elfw, elfw_section(elfw, table)->twin)->first_piece;
    for (; here && there;
         here = elfw->reloc_pieces.at[here].next, there = elfw->reloc_pieces.at[there].next)
        patch_capsule(elfw, capsule, &elfw->reloc_pieces.at[there], &elfw->reloc_pieces.at[here],
                      bytes);
}
