#include "mercury/debug.h"

#include <stdlib.h>

uint32_t
mentioned_function(const struct debug_part *part, uint32_t symbol)
{
    const struct elfw *elfw = part->elfw;
    const struct object *object = part->object;
    uint32_t ordinal = symbol_function(elfw_get_symbol(elfw, object->symbols[symbol]));
    const struct function *function = elfw_function(elfw, ordinal);

    if (!ordinal || function->is_dead || object->fates[symbol] == SYMBOL_LOST ||
        object->number < function->line_entries_from)
        return 0;
    return function->is_alias && !function->is_inner ? elfw_alias_owner(elfw, ordinal) : ordinal;
}

uint32_t
described_function(const struct debug_part *part, uint32_t symbol)
{
    uint32_t ordinal = mentioned_function(part, symbol);
    return elfw_function(part->elfw, ordinal)->object == part->object->number ? ordinal : 0;
}

struct sortable {
    uint64_t offset;
    uint32_t entry;
};

static int
compare_sortable(const void *a, const void *b)
{
    const struct sortable *x = a, *y = b;

    if (x->offset != y->offset)
        return x->offset < y->offset ? -1 : 1;
    return x->entry < y->entry ? -1 : x->entry > y->entry;
}

/* Compilers write entries from the last to the first. */
static bool
is_reversed(struct bytes entries)
{
    return entries.size >= 2 * sizeof(Elf64_Rela) &&
           read_u64(entries.at) > read_u64(entries.at + sizeof(Elf64_Rela));
}

static void
sort_places(struct place_index *index, struct arena *arena)
{
    struct sortable *list = arena_array(arena, index->count, sizeof *list);

    for (uint32_t i = 0; i < index->count; i++)
        list[i] = (struct sortable){entry_offset(place_entry(index, i)), index->order[i]};
    qsort(list, index->count, sizeof *list, compare_sortable);
    for (uint32_t i = 0; i < index->count; i++)
        index->order[i] = list[i].entry;
}

struct place_index
index_places(const struct debug_part *part)
{
    struct arena *arena = &part->elfw->scratch;
    uint32_t count = (uint32_t)(part->entries.size / sizeof(Elf64_Rela));
    bool reversed = is_reversed(part->entries), ascends = true;
    struct place_index index = {
        .part = part,
        .order = arena_alloc(arena, ((size_t)count + 1) * sizeof *index.order),
        .count = count,
    };
    uint64_t before = 0;

    for (uint32_t i = 0; i < count; i++) {
        index.order[i] = reversed ? count - 1 - i : i;
        uint64_t offset = entry_offset(place_entry(&index, i));
        ascends &= i == 0 || before < offset;
        before = offset;
    }
    if (!ascends)
        sort_places(&index, arena);
    return index;
}

uint32_t
first_place(const struct place_index *index, uint64_t offset)
{
    uint32_t low = 0, high = index->count;

    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (entry_offset(place_entry(index, middle)) < offset)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Per input: its relocations of the section. */
static uint32_t *
tables_by_object(struct elfw *elfw, uint32_t table)
{
    uint32_t *tables = arena_array(elfw->arena, elfw->objects.count, sizeof *tables);

    for (uint32_t p = elfw_section(elfw, table)->first_piece; table && p;
         p = elfw->reloc_pieces.at[p].next)
        tables[elfw->reloc_pieces.at[p].object] = p;
    return tables;
}

static uint32_t *
pieces_by_object(struct elfw *elfw, uint32_t section)
{
    uint32_t *pieces = arena_array(elfw->arena, elfw->objects.count, sizeof *pieces);

    for (uint32_t p = elfw_section(elfw, section)->first_piece; p; p = elfw->pieces.at[p].next)
        pieces[elfw->pieces.at[p].object] = p;
    return pieces;
}

/* Entries are written from the last to the first; turned round they come out as they stand. */
static void
turn_round(struct elfw *elfw, uint32_t table)
{
    uint32_t before = 0;
    struct section *section = elfw_section(elfw, table);

    section->last_piece = section->first_piece;
    for (uint32_t p = section->first_piece; p;) {
        uint32_t next = elfw->reloc_pieces.at[p].next;
        elfw->reloc_pieces.at[p].next = before;
        before = p;
        p = next;
    }
    section->first_piece = before;
}

static void
rebuild_section(struct elfw *elfw, uint32_t section, uint32_t table,
                void (*rebuild)(struct debug_part *), bool notes_units)
{
    uint32_t *tables = tables_by_object(elfw, table);
    struct debug_part part = {
        .elfw = elfw,
        .pieces = pieces_by_object(elfw, section),
        .notes_units = notes_units,
        .tables = tables,
        .seen = arena_array(elfw->arena, elfw->functions.count, sizeof *part.seen),
    };
    uint64_t size = 0;

    for (uint32_t p = elfw_section(elfw, section)->first_piece; p; p = elfw->pieces.at[p].next) {
        struct piece *piece = &elfw->pieces.at[p];
        struct reloc_piece *entries = &elfw->reloc_pieces.at[tables[piece->object]];
        struct arena_mark before = arena_mark(&elfw->scratch);

        part.object = elfw->objects.at[piece->object];
        part.input = piece->input;
        part.bytes = (struct bytes){piece->bytes, piece->size};
        part.entries = entries->entries;
        part.base = size;
        part.has_open_frames = false;
        rebuild(&part);
        arena_release(&elfw->scratch, before);
        piece->bytes = part.bytes.at;
        piece->has_open_frames = part.has_open_frames;
        piece->size = part.bytes.size;
        piece->base = part.object->bases[piece->input] = size;
        if (tables[piece->object]) {
            entries->entries = part.entries;
            entries->base = size;
        }
        size += piece->size;
    }
    elfw_section(elfw, section)->size = size;
    if (!part.describes_code) /* then it is the same in both views */
        elfw_section(elfw, elfw_section(elfw, section)->twin)->shares_bytes = true;
}

void
mercury_rebuild_debug(struct elfw *elfw)
{
    static const struct {
        const char *name, *table;
        void (*rebuild)(struct debug_part *);
        bool in_order;    /* its relocations stand in the order of their places */
        bool notes_units; /* its units are referred to */
    } sections[] = {
        {".debug_frame", ".rela.debug_frame", rebuild_frames, false, false},
        {".debug_line", ".rela.debug_line", rebuild_lines, true, true},
        {".nv_debug_line_sass", ".rela.nv_debug_line_sass", rebuild_lines, true, false},
        {".nv_debug_info_reg_sass", ".rela.nv_debug_info_reg_sass", rebuild_registers, false,
         false},
    };

    for (size_t i = 0; i < COUNT_OF(sections); i++) {
        uint32_t section = elfw_find_section(elfw, sections[i].name);
        uint32_t table = elfw_find_section(elfw, sections[i].table);

        if (!section || !elfw_section(elfw, section)->twin)
            continue;
        rebuild_section(elfw, section, table, sections[i].rebuild, sections[i].notes_units);
        if (sections[i].in_order && table)
            turn_round(elfw, table);
    }
}
