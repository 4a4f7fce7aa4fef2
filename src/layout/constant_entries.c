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
};

struct range_list {
    ARRAY(struct constant_range) list;
};

static int
compare_ranges(const void *a, const void *b)
{
    const struct constant_range *x = a, *y = b;

    if (x->from != y->from)
        return x->from < y->from ? -1 : 1;
    return x->to < y->to ? -1 : x->to > y->to;
}

/* The objects of one definition's constants; those of a loser are one. */
static void
add_ranges(struct elfw *elfw, const struct piece *piece, struct range_list *ranges)
{
    const struct object *object = elfw->objects.at[piece->object];
    uint32_t first = object->first_objects ? object->first_objects[piece->input] : 0;

    if (!first || !object->next_objects[first] || piece->is_loser) {
        array_push(&ranges->list, &elfw->scratch,
                   ((struct constant_range){piece->base, piece->base + piece->size}));
        return;
    }
    for (uint32_t i = first; i; i = object->next_objects[i]) {
        uint64_t from = piece->base + object->elf.symbols[i].st_value;
        array_push(&ranges->list, &elfw->scratch,
                   ((struct constant_range){from, from + object->elf.symbols[i].st_size}));
    }
}

static struct range_list
list_ranges(struct elfw *elfw, uint32_t bank)
{
    struct range_list ranges = {0};

    for (uint32_t p = elfw_section(elfw, bank)->first_piece; p; p = elfw->pieces.at[p].next)
        if (elfw->pieces.at[p].object)
            add_ranges(elfw, &elfw->pieces.at[p], &ranges);
    if (ranges.list.count)
        qsort(ranges.list.at, ranges.list.count, sizeof *ranges.list.at, compare_ranges);
    return ranges;
}

static const uint32_t NO_RANGE = UINT32_MAX;

/* The number of the range that the place lies in. */
static uint32_t
find_range(const struct range_list *ranges, uint64_t place)
{
    const struct constant_range *at = ranges->list.at;
    uint32_t low = 0, high = ranges->list.count;

    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (at[middle].from <= place)
            low = middle;
        else
            high = middle;
    }
    return high && place >= at[low].from && place < at[low].to ? low : NO_RANGE;
}

/* An entry, and where it goes. */
struct dealt_entry {
    uint32_t range, piece;
    size_t at; /* in the piece */
};

static int
compare_dealt(const void *a, const void *b)
{
    const struct dealt_entry *x = a, *y = b;

    if (x->range != y->range)
        return x->range < y->range ? -1 : 1;
    if (x->piece != y->piece)
        return x->piece < y->piece ? -1 : 1;
    return x->at < y->at ? -1 : x->at > y->at;
}

struct dealt_list {
    ARRAY(struct dealt_entry) list;
};

static struct dealt_list
deal_entries(struct elfw *elfw, uint32_t table, const struct range_list *ranges)
{
    struct dealt_list dealt = {0};

    for (uint32_t p = elfw_section(elfw, table)->first_piece; p;
         p = elfw->reloc_pieces.at[p].next) {
        const struct reloc_piece *piece = &elfw->reloc_pieces.at[p];
        for (size_t at = 0; !piece->is_stale && at < piece->entries.size; at += entry_size(piece)) {
            uint32_t range = find_range(ranges, piece->base + read_u64(piece->entries.at + at));
            if (range != NO_RANGE)
                array_push(&dealt.list, &elfw->scratch, ((struct dealt_entry){range, p, at}));
        }
    }
    if (dealt.list.count)
        qsort(dealt.list.at, dealt.list.count, sizeof *dealt.list.at, compare_dealt);
    return dealt;
}

/* Entries of one range that come from one piece. */
static struct reloc_piece
part_of_piece(struct elfw *elfw, const struct dealt_entry *dealt, uint32_t count)
{
    struct reloc_piece part = elfw->reloc_pieces.at[dealt->piece];
    size_t size = entry_size(&part);
    uint8_t *copy = arena_alloc(elfw->arena, count * size);

    for (uint32_t i = 0; i < count; i++)
        memcpy(copy + i * size, part.entries.at + dealt[i].at, size);
    part.entries = (struct bytes){copy, count * size};
    return part;
}

/* Constants move object by object, and their entries with them, from whatever piece they are. */
static struct moved_list
split_by_objects(struct elfw *elfw, uint32_t table, uint64_t offset)
{
    struct arena_mark mark = arena_mark(&elfw->scratch);
    struct range_list ranges = list_ranges(elfw, elfw_section(elfw, table)->target);
    struct dealt_list dealt = deal_entries(elfw, table, &ranges);
    struct moved_list list = {0};

    for (uint32_t i = 0, next; i < dealt.list.count; i = next) {
        const struct dealt_entry *first = &dealt.list.at[i];
        for (next = i + 1; next < dealt.list.count && dealt.list.at[next].range == first->range &&
                           dealt.list.at[next].piece == first->piece;)
            next++;
        struct reloc_piece part = part_of_piece(elfw, first, next - i);
        part.base += offset;
        append_moved(elfw, &list, part);
    }
    arena_release(&elfw->scratch, mark);
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
        settle_stale_entries(elfw, i);
        for (uint32_t k = count; k-- > 0 && has_entries(elfw, i);) {
            uint32_t bank = elfw_first_bank(elfw, kernels[k], SHT_CUDA_CONSTANT2);
            add_moved_entries(elfw, table_of(elfw, bank, type), i, offset);
        }
        elfw_section(elfw, i)->state = SECTION_DEAD;
    }
}
