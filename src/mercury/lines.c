#include "mercury/debug.h"

#include "cubin/reloc_table.h"
#include "mercury/code_map.h"
#include "mercury/leaf_kernels.h"
#include "mercury/line_opcodes.h"
#include "mercury/line_program.h"
#include "mercury/mercury.h"
#include "merge/merge.h"

#include <stdlib.h>

struct sequence {
    uint64_t from, to;
    uint64_t address; /* where the function's address stands */
    int32_t symbol;   /* of the function, 0: it goes */
    uint32_t function;
    uint32_t input_symbol;           /* the same in the input, of either view; 0: not known */
    uint32_t early_rows;             /* see line_early_rows, if it describes a loser */
    const struct code_map *replaced; /* of the definition that it describes, which lost */
    uint64_t text_size;              /* ... and the size of its SASS */
};

/* In scratch memory, which goes with the part. */
typedef ARRAY(struct sequence) sequence_list;

static struct line_unit
read_unit(const struct debug_part *part, uint64_t at)
{
    struct line_unit unit;

    if (!line_unit_read(&unit, part->bytes, at))
        DAMAGED(part->elfw, part->object, part->input, at, "the line table is damaged");
    return unit;
}

static struct line_reader
open_unit(const struct debug_part *part, const struct line_unit *unit, uint64_t at)
{
    return (struct line_reader){part->bytes.at + unit->from, {part->bytes.at, unit->to}, at};
}

/* The first part that ends behind that place. */
static uint32_t
first_mark_behind(const struct section_marks *marks, uint64_t place)
{
    uint32_t low = 0, high = marks->count;

    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (marks->ends[middle] <= place)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* What was noted when the table was checked; false: nothing was. */
static bool
take_sequences(const struct debug_part *part, const struct line_unit *unit, sequence_list *list)
{
    const struct section_marks *marks = elf_marks(&part->object->elf, part->input);
    uint32_t next = marks ? first_mark_behind(marks, unit->program) : 0;

    for (uint64_t at = unit->program; marks && at < unit->to; at = marks->ends[next++]) {
        struct sequence sequence = {.from = at, .to = marks->ends[next], .address = at + CODE_SIZE};
        array_push(list, &part->elfw->scratch, sequence);
    }
    return marks;
}

static sequence_list
read_sequences(const struct debug_part *part, const struct line_unit *unit)
{
    struct line_reader reader = open_unit(part, unit, unit->program);
    sequence_list list = {0};

    if (take_sequences(part, unit, &list))
        return list;
    while (reader.at < unit->to) {
        struct sequence sequence = {.from = reader.at};

        if (!line_skip_sequence(&reader, &sequence.address))
            DAMAGED(part->elfw, part->object, part->input, unit->from, "the line table has no end");
        sequence.to = reader.at;
        array_push(&list, &part->elfw->scratch, sequence);
    }
    return list;
}

/* The lines of a definition that was replaced stay where its relocations do; nvlink takes their places
   for those of the winner's code. */
static void
find_function(const struct debug_part *part, struct sequence *sequence, uint32_t symbol)
{
    uint32_t ordinal = mentioned_function(part, symbol);
    const struct function *function = elfw_function(part->elfw, ordinal);

    if (!ordinal)
        return;
    if (function->object != part->object->number) {
        if (!function_code_map(part->elfw, ordinal))
            return;
        sequence->replaced = definition_code_map(part->elfw, part->object, symbol);
        if (!sequence->replaced)
            return;
        const struct elf_view *elf = &part->object->elf;
        sequence->text_size = elf->sections[elf->twins[elf_symbol_section(elf, symbol)]].sh_size;
    }
    sequence->function = ordinal;
    sequence->symbol = function->symbol;
}

static void
find_symbols(const struct place_index *places, sequence_list *sequences)
{
    for (uint32_t i = 0; i < sequences->count; i++) {
        struct sequence *sequence = &sequences->at[i];
        uint32_t place = first_place(places, sequence->address);

        if (place < places->count && entry_offset(place_entry(places, place)) == sequence->address)
            sequence->input_symbol = entry_symbol(place_entry(places, place));
    }
}

static void
find_functions(const struct debug_part *part, sequence_list *sequences)
{
    for (uint32_t i = 0; i < sequences->count; i++)
        if (sequences->at[i].input_symbol)
            find_function(part, &sequences->at[i], sequences->at[i].input_symbol);
}

/* Symbols are numbered like this: locals and weak ones, then globals. */
static int
compare_by_symbol(const void *a, const void *b)
{
    const struct sequence *x = a, *y = b;

    if (x->symbol == y->symbol)
        return x->from < y->from ? -1 : x->from > y->from;
    if ((x->symbol < 0) != (y->symbol < 0))
        return x->symbol < 0 ? 1 : -1;
    return abs(x->symbol) < abs(y->symbol) ? -1 : 1;
}

static void
order_sequences(sequence_list *sequences)
{
    bool ascends = true;

    for (uint32_t i = 1; i < sequences->count; i++)
        ascends &= compare_by_symbol(&sequences->at[i - 1], &sequences->at[i]) <= 0;
    if (!ascends)
        qsort(sequences->at, sequences->count, sizeof *sequences->at, compare_by_symbol);
}

struct line_writer {
    uint8_t *bytes, *entries;
    size_t size, capacity, entry_size;
};

static void
write_bytes(struct line_writer *writer, struct arena *arena, const uint8_t *bytes, size_t size)
{
    if (size > writer->capacity - writer->size) {
        writer->capacity = 2 * (writer->size + size);
        uint8_t *larger = arena_alloc(arena, writer->capacity);
        writer->bytes = memcpy(larger, writer->bytes, writer->size);
    }
    memcpy(writer->bytes + writer->size, bytes, size);
    writer->size += size;
}

/* Entries of [from, to) of the part: those bytes now begin at `new_from`. */
static void
write_entries(struct line_writer *writer, const struct place_index *places,
              const struct kept_bytes *kept)
{
    for (uint32_t i = first_place(places, kept->from); i < places->count; i++) {
        const uint8_t *entry = place_entry(places, i);

        if (read_u64(entry) >= kept->to)
            break;
        memcpy(writer->entries + writer->entry_size, entry, sizeof(Elf64_Rela));
        write_u64(writer->entries + writer->entry_size,
                  read_u64(entry) - kept->from + kept->new_from);
        writer->entry_size += sizeof(Elf64_Rela);
    }
}

static uint64_t
move_address(const void *function, uint64_t address)
{
    return moved_place(function, address);
}

struct replacement {
    const struct code_map *from, *to;
    uint64_t old_end, new_end; /* of the texts */
};

static struct replacement
replacement_of(const struct debug_part *part, const struct sequence *sequence)
{
    const struct function *function = elfw_function(part->elfw, sequence->function);

    return (struct replacement){
        .from = sequence->replaced,
        .to = function_code_map(part->elfw, sequence->function),
        .old_end = sequence->text_size,
        .new_end = moved_place(function, mercury_sass_text(part->elfw, sequence->function).size),
    };
}

/* A place in the SASS of a loser, in that of the winner. */
static uint64_t
replace_address(const void *how, uint64_t address)
{
    const struct replacement *replacement = how;
    const struct code_place *from = code_of_sass(replacement->from, address);
    const struct code_place *to = from ? code_from(replacement->to, from->mercury) : NULL;
    const struct code_map *map = replacement->to;

    if (address >= replacement->old_end)
        return replacement->new_end;
    return to && to < &map->places.at[map->places.count - 1] ? to->sass : UINT64_MAX;
}

/* The lines of a shortened kernel, and of a definition that was replaced, are written anew. */
static void
move_sequence(struct line_writer *writer, const struct debug_part *part,
              const struct place_index *places, const struct line_unit *unit,
              const struct sequence *sequence)
{
    struct line_table table = {0};
    uint64_t base = writer->size;
    struct line_reader reader = open_unit(part, unit, sequence->from);

    if (sequence->replaced) {
        struct replacement to = replacement_of(part, sequence);
        line_table_replace(&table, part->elfw->arena, reader,
                           (struct line_places){replace_address, &to}, sequence->early_rows);
    } else {
        line_table_move(
            &table, part->elfw->arena, reader,
            (struct line_places){move_address, elfw_function(part->elfw, sequence->function)});
    }
    write_bytes(writer, part->elfw->arena, table.bytes.at, table.bytes.count);
    for (uint32_t i = 0; i < table.kept.count; i++) {
        table.kept.at[i].new_from += base;
        write_entries(writer, places, &table.kept.at[i]);
    }
}

static void
copy_sequence(struct line_writer *writer, const struct debug_part *part,
              const struct place_index *places, const struct line_unit *unit,
              const struct sequence *sequence)
{
    struct kept_bytes kept = {sequence->from, sequence->to, writer->size};

    if (sequence->replaced || elfw_function(part->elfw, sequence->function)->shift) {
        move_sequence(writer, part, places, unit, sequence);
        return;
    }
    write_bytes(writer, part->elfw->arena, part->bytes.at + sequence->from,
                sequence->to - sequence->from);
    write_entries(writer, places, &kept);
}

/* The same table in the mercury view. Only there a header has relocations: it may name a place among
   the strings. */
struct mercury_lines {
    struct debug_part part;
    struct place_index places;
    uint64_t at;
};

static void
open_mercury(struct mercury_lines *lines, const struct debug_part *part)
{
    const struct elf_view *elf = &part->object->elf;
    uint32_t table = part->tables[part->object->number];

    lines->part = *part;
    lines->part.input = elf->twins[part->input];
    lines->part.bytes = elf_contents(elf, lines->part.input);
    lines->part.entries = (struct bytes){0};
    if (table)
        lines->part.entries =
            elf_contents(elf, elf->twins[part->elfw->reloc_pieces.at[table].input]);
    lines->places = index_places(&lines->part);
    lines->at = 0;
}

/* The next unit there; an empty one if there is none. */
static struct line_unit
next_mercury_unit(struct mercury_lines *mercury)
{
    struct line_unit unit = {0};

    if (mercury->at == mercury->part.bytes.size)
        return unit;
    unit = read_unit(&mercury->part, mercury->at);
    mercury->at = unit.to;
    return unit;
}

static int
compare_by_input_symbol(const void *a, const void *b)
{
    const struct sequence *x = a, *y = b;

    return x->input_symbol < y->input_symbol ? -1 : x->input_symbol > y->input_symbol;
}

/* The sequences of the unit in mercury, where they may stand in another order. */
static sequence_list
describe_by_symbols(const struct mercury_lines *mercury, const struct line_unit *there)
{
    sequence_list list = read_sequences(&mercury->part, there);

    find_symbols(&mercury->places, &list);
    if (list.count > 1)
        qsort(list.at, list.count, sizeof *list.at, compare_by_input_symbol);
    return list;
}

/* Whether a row is left out depends on how mercury writes it. */
static void
find_early_rows(sequence_list *sequences, const struct mercury_lines *mercury,
                const struct line_unit *there)
{
    sequence_list described = {0};

    for (uint32_t i = 0; i < sequences->count; i++) {
        struct sequence *sequence = &sequences->at[i];

        if (!sequence->replaced)
            continue;
        if (!described.count)
            described = describe_by_symbols(mercury, there);
        const struct sequence *own = described.count
                                         ? bsearch(sequence, described.at, described.count,
                                                   sizeof *described.at, compare_by_input_symbol)
                                         : NULL;
        sequence->early_rows = UINT32_MAX;
        if (own)
            sequence->early_rows = line_early_rows(open_unit(&mercury->part, there, own->from));
    }
}

static void
write_header(struct line_writer *writer, const struct debug_part *part,
             const struct line_unit *unit, const struct mercury_lines *mercury,
             const struct line_unit *there)
{
    uint64_t base = writer->size;

    write_bytes(writer, part->elfw->arena, part->bytes.at + unit->from, unit->program - unit->from);
    if (!there->to)
        return;
    for (uint32_t i = first_place(&mercury->places, there->from); i < mercury->places.count; i++) {
        const uint8_t *entry = place_entry(&mercury->places, i);
        uint64_t offset = entry_offset(entry) - there->from;
        uint8_t *written = writer->entries + writer->entry_size;

        if (offset >= unit->program - unit->from || entry_offset(entry) >= there->program)
            break;
        if (entry_type(entry) != R_MERCURY_ABS32)
            continue;
        memcpy(written, entry, sizeof(Elf64_Rela));
        write_u64(written, base + offset);
        write_u32(written + ENTRY_TYPE_AT, R_CUDA_32);
        writer->entry_size += sizeof(Elf64_Rela);
    }
}

static void
copy_unit(struct line_writer *writer, struct debug_part *part, const struct place_index *places,
          const struct line_unit *unit, struct mercury_lines *mercury)
{
    sequence_list sequences = read_sequences(part, unit);
    struct line_unit there = next_mercury_unit(mercury);
    size_t from = writer->size;

    if (part->notes_units && from != unit->from)
        array_push(&part->elfw->moved_units, part->elfw->arena,
                   ((struct moved_unit){part->object->number, unit->from, from}));
    find_symbols(places, &sequences);
    find_functions(part, &sequences);
    find_early_rows(&sequences, mercury, &there);
    part->describes_code |= sequences.count > 0;
    order_sequences(&sequences);
    write_header(writer, part, unit, mercury, &there);
    for (uint32_t i = 0; i < sequences.count; i++)
        if (sequences.at[i].symbol)
            copy_sequence(writer, part, places, unit, &sequences.at[i]);
    write_u32(writer->bytes + from, (uint32_t)(writer->size - from - UNIT_LENGTH));
}

/* Entries are written from the last to the first. */
static void
reverse_entries(struct line_writer *writer)
{
    for (size_t low = 0, high = writer->entry_size; low + sizeof(Elf64_Rela) < high;
         low += sizeof(Elf64_Rela)) {
        uint8_t entry[sizeof(Elf64_Rela)];

        high -= sizeof entry;
        memcpy(entry, writer->entries + low, sizeof entry);
        memcpy(writer->entries + low, writer->entries + high, sizeof entry);
        memcpy(writer->entries + high, entry, sizeof entry);
    }
}

void
rebuild_lines(struct debug_part *part)
{
    struct place_index places = index_places(part);
    struct mercury_lines mercury;
    open_mercury(&mercury, part);
    size_t entries = part->entries.size + mercury.part.entries.size;
    struct line_writer writer = {
        .bytes = arena_alloc(part->elfw->arena, part->bytes.size + 1),
        .capacity = part->bytes.size,
        .entries = arena_alloc(part->elfw->arena, entries + 1),
    };

    for (uint64_t at = 0; at < part->bytes.size;) {
        struct line_unit unit = read_unit(part, at);
        copy_unit(&writer, part, &places, &unit, &mercury);
        at = unit.to;
    }
    reverse_entries(&writer);
    part->bytes = (struct bytes){writer.bytes, writer.size};
    part->entries = (struct bytes){writer.entries, writer.entry_size};
}
