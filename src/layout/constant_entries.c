#include "layout/constant_entries.h"

#include <stdlib.h>

static uint32_t
find_table(const struct elfw *elfw, uint32_t bank, uint32_t type)
{
    uint32_t table = elfw_function(elfw, elfw_section(elfw, bank)->owner)->first_owned;

    while (table &&
           !(elfw_section(elfw, table)->type == type && elfw_section(elfw, table)->target == bank))
        table = elfw_section(elfw, table)->next_owned;
    return table;
}

static uint32_t
add_table(struct elfw *elfw, uint32_t bank, uint32_t type, const char *prefix)
{
    const char *name = elfw_section_name(elfw, elfw_section(elfw, bank));

    return elfw_add_section(elfw,
                            &(struct new_section){
                                .name = arena_format(elfw->arena, "%s%s", prefix, name),
                                .type = type,
                                .flags = SHF_INFO_LINK,
                                .align = 8,
                                .entsize = type == SHT_REL ? sizeof(Elf64_Rel) : sizeof(Elf64_Rela),
                                .owner = elfw_section(elfw, bank)->owner,
                                .target = bank,
                            });
}

/* The relocations of a bank, made if there are none yet. */
static uint32_t
table_of(struct elfw *elfw, uint32_t bank, uint32_t type)
{
    uint32_t table = find_table(elfw, bank, type);

    if (table)
        return table;
    table = add_table(elfw, bank, type, type == SHT_RELA ? ".rela" : ".rel");
    if (elfw_flag(elfw, MERGE_PRESERVE_RELOCS))
        add_table(elfw, bank, SHT_CUDA_RESOLVED_RELA, ".nv.resolvedrela");
    return table;
}

struct moved_list {
    uint32_t first, last;
};

static void
append_moved(struct elfw *elfw, struct moved_list *list, struct reloc_piece piece)
{
    uint32_t added = elfw->reloc_pieces.count;

    piece.next = 0;
    array_push(&elfw->reloc_pieces, elfw->arena, piece);
    if (list->last)
        elfw->reloc_pieces.at[list->last].next = added;
    else
        list->first = added;
    list->last = added;
}

struct constant_range {
    uint64_t from, to;
    size_t first, count; /* entries, by their numbers in the sorted list */
};

static int
compare_ranges(const void *a, const void *b)
{
    const struct constant_range *x = a, *y = b;
    return x->from < y->from ? -1 : x->from > y->from;
}

/* The objects of the input section, by their places. */
static struct constant_range *
object_ranges(struct elfw *elfw, const struct object *object, uint32_t first, size_t *count)
{
    struct constant_range *ranges;
    size_t room = 0;

    for (uint32_t i = first; i; i = object->next_objects[i])
        room++;
    ranges = arena_array(elfw->arena, room, sizeof *ranges);
    *count = 0;
    for (uint32_t i = first; i; i = object->next_objects[i]) {
        const Elf64_Sym *symbol = &object->elf.symbols[i];
        ranges[(*count)++] = (struct constant_range){.from = symbol->st_value,
                                                     .to = symbol->st_value + symbol->st_size};
    }
    qsort(ranges, *count, sizeof *ranges, compare_ranges);
    return ranges;
}

/* The number of the range that the place lies in; `count` if it lies in none. */
static size_t
find_range(const struct constant_range *ranges, size_t count, uint64_t place)
{
    size_t low = 0, high = count;

    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (ranges[middle].from <= place)
            low = middle;
        else
            high = middle;
    }
    return place >= ranges[low].from && place < ranges[low].to ? low : count;
}

/* Lists the entries range by range; within one they keep their order. */
static struct bytes
deal_entries(struct arena *arena, const struct reloc_piece *piece, struct constant_range *ranges,
             size_t count)
{
    size_t size = piece->is_rela ? sizeof(Elf64_Rela) : sizeof(Elf64_Rel);
    size_t entries = piece->entries.size / size, dealt = 0;
    uint8_t *copy = arena_alloc(arena, piece->entries.size + 1);

    for (int pass = 0; pass < 2; pass++) {
        for (size_t i = 0; i < entries; i++) {
            const uint8_t *entry = piece->entries.at + i * size;
            size_t range = find_range(ranges, count, read_u64(entry));
            if (range < count && pass == 1)
                memcpy(copy + size * (ranges[range].first + ranges[range].count), entry, size);
            if (range < count)
                ranges[range].count++;
        }
        for (size_t r = 0; r < count && pass == 0; r++) {
            ranges[r].first = dealt;
            dealt += ranges[r].count;
            ranges[r].count = 0;
        }
    }
    return (struct bytes){copy, size * dealt};
}

/* Constants move object by object, and their entries with them; those of a loser are one. */
static struct moved_list
split_by_objects(struct elfw *elfw, uint32_t table, uint64_t offset)
{
    struct moved_list list = {0};

    for (uint32_t p = elfw_section(elfw, table)->first_piece; p;
         p = elfw->reloc_pieces.at[p].next) {
        struct reloc_piece piece = elfw->reloc_pieces.at[p];
        if (piece.is_stale)
            continue;
        const struct object *object = elfw->objects.at[piece.object];
        uint32_t first = object->first_objects ? object->first_objects[piece.input_target] : 0;

        piece.base += offset;
        if (!first || !object->next_objects[first] || object->fates[first] == SYMBOL_LOST) {
            append_moved(elfw, &list, piece);
            continue;
        }
        size_t count, size = piece.is_rela ? sizeof(Elf64_Rela) : sizeof(Elf64_Rel);
        struct constant_range *ranges = object_ranges(elfw, object, first, &count);
        struct bytes entries = deal_entries(elfw->arena, &piece, ranges, count);
        for (size_t r = 0; r < count; r++) {
            struct reloc_piece part = piece;
            part.entries =
                (struct bytes){entries.at + size * ranges[r].first, size * ranges[r].count};
            if (part.entries.size)
                append_moved(elfw, &list, part);
        }
    }
    return list;
}

/* Entries go behind those that the table has, which is to say that their pieces come before. */
static void
add_moved_entries(struct elfw *elfw, uint32_t to, uint32_t from, uint64_t offset)
{
    uint32_t old_first = elfw_section(elfw, to)->first_piece;
    struct moved_list list = split_by_objects(elfw, from, offset);

    if (!list.first)
        return;
    elfw->reloc_pieces.at[list.last].next = old_first;
    elfw_section(elfw, to)->first_piece = list.first;
    if (!old_first)
        elfw_section(elfw, to)->last_piece = list.last;
}

static bool
has_entries(const struct elfw *elfw, uint32_t table)
{
    for (uint32_t p = elfw_section(elfw, table)->first_piece; p; p = elfw->reloc_pieces.at[p].next)
        if (!elfw->reloc_pieces.at[p].is_stale)
            return true;
    return false;
}

void
move_constant_entries(struct elfw *elfw, uint32_t index, const uint32_t *kernels, uint32_t count,
                      uint64_t offset)
{
    uint32_t owner = elfw_section(elfw, index)->owner;

    for (uint32_t i = elfw_function(elfw, owner)->first_owned; i;
         i = elfw_section(elfw, i)->next_owned) {
        uint32_t type = elfw_section(elfw, i)->type;

        if (!is_relocation_table(type) || elfw_section(elfw, i)->target != index ||
            elfw_section(elfw, i)->state != SECTION_LIVE)
            continue;
        for (uint32_t k = count; k-- > 0 && has_entries(elfw, i);) {
            uint32_t bank = elfw_first_bank(elfw, kernels[k], SHT_CUDA_CONSTANT2);
            add_moved_entries(elfw, table_of(elfw, bank, type), i, offset);
        }
        elfw_section(elfw, i)->state = SECTION_DEAD;
    }
}
