#include "cubin/reloc_entry.h"
#include "layout/constant_entries.h"

#include <stdlib.h>

/*
 * Entries of constants that were replaced. nvlink keeps them all, and loses its way where two name
 * the same place: the one that counts stays, or else the oldest, and what says the same.
 */

struct counted_entry {
    uint64_t place;
    uint64_t order; /* in which entries of one place count */
    int32_t symbol;
    uint32_t type;
    uint64_t addend;
};

static struct counted_entry
entry_at(const struct elfw *elfw, const struct reloc_piece *piece, size_t at)
{
    const uint8_t *entry = piece->entries.at + at;

    return (struct counted_entry){
        .place = piece->base + entry_offset(entry),
        .symbol = elfw->objects.at[piece->object]->symbols[entry_symbol(entry)],
        .type = entry_type(entry),
        .addend = entry_addend(entry),
    };
}

static int
compare_places(const void *a, const void *b)
{
    const struct counted_entry *x = a, *y = b;
    return x->place < y->place ? -1 : x->place > y->place;
}

static int
compare_entries(const void *a, const void *b)
{
    const struct counted_entry *x = a, *y = b;
    int order = compare_places(a, b);

    return order ? order : (x->order < y->order ? -1 : x->order > y->order);
}

struct counted_list {
    ARRAY(struct counted_entry) list;
};

static void
add_entries(struct elfw *elfw, const struct section *table, bool stale,
            struct counted_list *counted)
{
    for (uint32_t p = table->first_piece; p; p = elfw->reloc_pieces.at[p].next) {
        const struct reloc_piece *piece = &elfw->reloc_pieces.at[p];
        for (size_t at = 0; piece->is_rela && piece->is_stale == stale && at < piece->entries.size;
             at += sizeof(Elf64_Rela)) {
            struct counted_entry entry = entry_at(elfw, piece, at);
            entry.order = counted->list.count;
            array_push(&counted->list, &elfw->scratch, entry);
        }
    }
}

/* For each place the entry that counts there. */
static struct counted_list
list_counted(struct elfw *elfw, const struct section *table)
{
    struct counted_list counted = {0};
    uint32_t places = 0;

    add_entries(elfw, table, false, &counted);
    add_entries(elfw, table, true, &counted);
    if (counted.list.count)
        qsort(counted.list.at, counted.list.count, sizeof *counted.list.at, compare_entries);
    for (uint32_t i = 0; i < counted.list.count; i++)
        if (!i || counted.list.at[i].place != counted.list.at[places - 1].place)
            counted.list.at[places++] = counted.list.at[i];
    counted.list.count = places;
    return counted;
}

/* The list has its place. */
static bool
is_harmless(const struct counted_list *counted, const struct counted_entry *entry)
{
    const struct counted_entry *found =
        counted->list.count
            ? bsearch(entry, counted->list.at, counted->list.count, sizeof *entry, compare_places)
            : NULL;

    return found && found->symbol == entry->symbol && found->type == entry->type &&
           found->addend == entry->addend;
}

/* What is left of a piece counts from now on. */
static void
keep_harmless(struct elfw *elfw, struct reloc_piece *piece, const struct counted_list *counted,
              uint64_t bank_size)
{
    uint8_t *kept = arena_alloc(elfw->arena, piece->entries.size + 1);
    size_t size = 0;

    for (size_t at = 0; at < piece->entries.size; at += sizeof(Elf64_Rela)) {
        struct counted_entry entry = entry_at(elfw, piece, at);
        if (entry.place >= bank_size || !is_harmless(counted, &entry))
            continue;
        memcpy(kept + size, piece->entries.at + at, sizeof(Elf64_Rela));
        size += sizeof(Elf64_Rela);
    }
    piece->entries = (struct bytes){kept, size};
    piece->is_stale = size == 0;
}

void
settle_stale_entries(struct elfw *elfw, uint32_t index)
{
    struct section *table = elfw_section(elfw, index);
    uint64_t bank_size = elfw_section(elfw, table->target)->size;

    if (!table->has_stale_pieces)
        return;
    struct arena_mark mark = arena_mark(&elfw->scratch);
    table->has_stale_pieces = false;
    struct counted_list counted = list_counted(elfw, table);
    for (uint32_t p = table->first_piece; p; p = elfw->reloc_pieces.at[p].next)
        if (elfw->reloc_pieces.at[p].is_stale && elfw->reloc_pieces.at[p].is_rela)
            keep_harmless(elfw, &elfw->reloc_pieces.at[p], &counted, bank_size);
    arena_release(&elfw->scratch, mark);
}

void
settle_all_stale_entries(struct elfw *elfw)
{
    for (uint32_t i = 0; i < elfw->tables.count; i++)
        settle_stale_entries(elfw, elfw->tables.at[i]);
}
