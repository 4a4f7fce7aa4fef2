#include "mercury/debug.h"

#include "merge/merge.h"

#include <stdlib.h>

/*
 * A line table is a list of units: a length, a version, a length of the header, the header, and the
 * lines of one function after the other. Each of these sequences begins with the function's
 * address and ends with a mark.
 */
enum {
    UNIT_LENGTH = 4,
    HEADER_LENGTH_AT = 6,
    HEADER_AT = 10,
    OPCODE_BASE_AT = HEADER_AT + 4,
    OPCODE_LENGTHS_AT,
    EXTENDED = 0, /* a length, a code, operands */
    END_SEQUENCE = 1,
    SET_ADDRESS = 2,
    FIXED_ADVANCE = 9, /* the one opcode with an operand of 16 bits */
};

struct sequence {
    uint64_t from, to;
    uint64_t address; /* where the function's address stands */
    int32_t symbol;   /* of the function, 0: it goes */
};

typedef ARRAY(struct sequence) sequence_list;

/* Bytes that are read one after the other; at the end of damaged ones `at` is past their size. */
struct cursor {
    struct bytes bytes;
    uint64_t at;
};

static uint64_t
read_leb(struct cursor *cursor)
{
    uint64_t value = 0;

    for (unsigned shift = 0; cursor->at < cursor->bytes.size; shift += 7) {
        uint8_t byte = cursor->bytes.at[cursor->at++];
        if (shift < 64)
            value |= (uint64_t)(byte & 0x7f) << shift;
        if (byte < 0x80)
            return value;
    }
    cursor->at = UINT64_MAX;
    return 0;
}

/* Steps over one opcode; true at the end of a sequence. */
static bool
step(struct cursor *cursor, const uint8_t *unit, struct sequence *sequence)
{
    uint8_t opcode = cursor->bytes.at[cursor->at++];
    uint8_t base = unit[OPCODE_BASE_AT];

    if (opcode == EXTENDED) {
        uint64_t length = read_leb(cursor), at = cursor->at;

        if (!length || at > cursor->bytes.size || length > cursor->bytes.size - at) {
            cursor->at = UINT64_MAX;
            return false;
        }
        cursor->at += length;
        if (cursor->bytes.at[at] == SET_ADDRESS)
            sequence->address = at + 1;
        return cursor->bytes.at[at] == END_SEQUENCE;
    }
    if (opcode >= base)
        return false;
    if (opcode == FIXED_ADVANCE) {
        cursor->at += sizeof(uint16_t);
        return false;
    }
    for (unsigned i = unit[OPCODE_LENGTHS_AT + opcode - 1]; i > 0 && cursor->at < UINT64_MAX; i--)
        read_leb(cursor);
    return false;
}

struct unit {
    uint64_t from, program, to;
};

static struct unit
read_unit(const struct debug_part *part, uint64_t at)
{
    struct bytes bytes = part->bytes;
    struct unit unit = {.from = at};

    if (bytes_hold(bytes, at, OPCODE_LENGTHS_AT)) {
        unit.to = at + UNIT_LENGTH + read_u32(bytes.at + at);
        unit.program = at + HEADER_AT + read_u32(bytes.at + at + HEADER_LENGTH_AT);
    }
    if (unit.to > bytes.size || unit.program > unit.to ||
        unit.program < at + OPCODE_LENGTHS_AT + bytes.at[at + OPCODE_BASE_AT])
        DAMAGED(part->elfw, part->object, part->input, at, "the line table is damaged");
    return unit;
}

static sequence_list
read_sequences(const struct debug_part *part, const struct unit *unit)
{
    struct cursor cursor = {{part->bytes.at, unit->to}, unit->program};
    struct sequence sequence = {.from = unit->program};
    sequence_list list = {0};

    while (cursor.at < unit->to) {
        if (!step(&cursor, part->bytes.at + unit->from, &sequence))
            continue;
        sequence.to = cursor.at;
        array_push(&list, part->elfw->arena, sequence);
        sequence = (struct sequence){.from = cursor.at};
    }
    if (cursor.at != unit->to || sequence.from != unit->to)
        DAMAGED(part->elfw, part->object, part->input, unit->from, "the line table has no end");
    return list;
}

static void
find_functions(const struct debug_part *part, const struct place_index *places,
               sequence_list *sequences)
{
    for (uint32_t i = 0; i < sequences->count; i++) {
        struct sequence *sequence = &sequences->at[i];
        uint32_t place = first_place(places, sequence->address);

        if (place == places->count || read_u64(place_entry(places, place)) != sequence->address)
            continue;
        uint32_t symbol = (uint32_t)(read_u64(place_entry(places, place) + 8) >> 32);
        uint32_t function = described_function(part, symbol);
        if (function)
            sequence->symbol = elfw_function(part->elfw, function)->symbol;
    }
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

struct line_writer {
    uint8_t *bytes, *entries;
    size_t size, entry_size;
};

static void
copy_sequence(struct line_writer *writer, const struct debug_part *part,
              const struct place_index *places, const struct sequence *sequence)
{
    uint64_t moved = writer->size - sequence->from;

    memcpy(writer->bytes + writer->size, part->bytes.at + sequence->from,
           sequence->to - sequence->from);
    writer->size += sequence->to - sequence->from;
    for (uint32_t i = first_place(places, sequence->from); i < places->count; i++) {
        const uint8_t *entry = place_entry(places, i);

        if (read_u64(entry) >= sequence->to)
            break;
        memcpy(writer->entries + writer->entry_size, entry, sizeof(Elf64_Rela));
        write_u64(writer->entries + writer->entry_size, read_u64(entry) + moved);
        writer->entry_size += sizeof(Elf64_Rela);
    }
}

static void
copy_unit(struct line_writer *writer, struct debug_part *part, const struct place_index *places,
          const struct unit *unit)
{
    sequence_list sequences = read_sequences(part, unit);
    size_t from = writer->size;

    find_functions(part, places, &sequences);
    part->describes_code |= sequences.count > 0;
    if (sequences.count)
        qsort(sequences.at, sequences.count, sizeof *sequences.at, compare_by_symbol);
    memcpy(writer->bytes + writer->size, part->bytes.at + unit->from, unit->program - unit->from);
    writer->size += unit->program - unit->from;
    for (uint32_t i = 0; i < sequences.count; i++)
        if (sequences.at[i].symbol)
            copy_sequence(writer, part, places, &sequences.at[i]);
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
    struct line_writer writer = {
        .bytes = arena_alloc(part->elfw->arena, part->bytes.size + 1),
        .entries = arena_alloc(part->elfw->arena, part->entries.size + 1),
    };

    for (uint64_t at = 0; at < part->bytes.size;) {
        struct unit unit = read_unit(part, at);
        copy_unit(&writer, part, &places, &unit);
        at = unit.to;
    }
    reverse_entries(&writer);
    part->bytes = (struct bytes){writer.bytes, writer.size};
    part->entries = (struct bytes){writer.entries, writer.entry_size};
}
