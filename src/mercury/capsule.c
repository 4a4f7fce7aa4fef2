#include "mercury/capsule.h"

enum {
    TEXT_AT = 0,
    VERSION_AT = 4,
    COUNT_AT = 8,
    BITMAP_AT = 12,
    COUNT_MARK = 0x50, /* low 7 bits of a 16-bit word with a count of instructions above them */
    PREFIX_MARK = 0x51,
    MARK_BITS = 7,
    MARK_SIZE = 2,
    MOST_COUNTED = UINT16_MAX >> MARK_BITS,
    SHORT_RECORD = 4,
    RECORD_UNIT = 16,
};

#define CAPSULE_VERSION 0xc0000001u

static size_t
bitmap_size(uint32_t count)
{
    return ((size_t)count + 31) / 32 * sizeof(uint32_t);
}

struct capsule_reader
capsule_open(struct bytes capsule)
{
    return (struct capsule_reader){
        .capsule = capsule,
        .at = BITMAP_AT + bitmap_size(read_u32(capsule.at + COUNT_AT)),
    };
}

static bool
is_implied(struct bytes capsule, uint32_t number)
{
    return capsule.at[BITMAP_AT + number / 8] >> number % 8 & 1;
}

/* A count of instructions under one of the two marks; 0: there is none. */
static uint32_t
marked_count(const struct capsule_reader *reader, unsigned mark)
{
    if (!bytes_hold(reader->capsule, reader->at, MARK_SIZE))
        return 0;
    uint16_t word = read_u16(reader->capsule.at + reader->at);
    return (word & ((1u << MARK_BITS) - 1)) == mark ? (uint32_t)word >> MARK_BITS : 0;
}

/* The size of the record that begins with this byte; 0: none does. */
static size_t
record_size(uint8_t first)
{
    unsigned units = first & 0xf;

    switch (first >> 4) {
    case 0:
        return (size_t)units * RECORD_UNIT;
    case 4:
        return units ? SHORT_RECORD : 0;
    }
    return 0;
}

bool
capsule_next(struct capsule_reader *reader, struct capsule_entry *entry)
{
    struct bytes capsule = reader->capsule;

    if (reader->number == read_u32(capsule.at + COUNT_AT))
        return false;
    *entry = (struct capsule_entry){.first = reader->instruction, .count = 1};
    if (!is_implied(capsule, reader->number)) {
        uint32_t covered = marked_count(reader, PREFIX_MARK);
        if (covered) {
            entry->prefix = reader->at;
            entry->count = covered;
            reader->at += MARK_SIZE;
        }
        uint32_t without_mercury = covered ? 0 : marked_count(reader, COUNT_MARK);
        if (reader->at >= capsule.size)
            return false;
        entry->record = reader->at;
        entry->size = without_mercury ? MARK_SIZE : record_size(capsule.at[reader->at]);
        if (without_mercury)
            entry->count = without_mercury;
        if (!entry->size || !bytes_hold(capsule, entry->record, entry->size))
            return false;
        reader->at += entry->size;
    }
    reader->instruction += entry->count;
    reader->number++;
    return true;
}

bool
capsule_is_done(const struct capsule_reader *reader)
{
    return reader->number == read_u32(reader->capsule.at + COUNT_AT);
}

uint32_t
capsule_pass_implied(struct capsule_reader *reader, uint32_t most)
{
    uint32_t first = reader->number, count = read_u32(reader->capsule.at + COUNT_AT);
    uint32_t end = most < count - first ? first + most : count ? count - 1 : 0;

    while (reader->number < end) {
        uint64_t implied = read_u32(reader->capsule.at + BITMAP_AT + reader->number / 32 * 4);
        uint32_t run = (uint32_t)__builtin_ctzll(~(implied >> reader->number % 32));
        if (!run)
            break;
        reader->number += run < end - reader->number ? run : end - reader->number;
    }
    reader->instruction += reader->number - first;
    return reader->number - first;
}

struct capsule_writer
capsule_copy(struct bytes from, uint8_t *to)
{
    size_t size = BITMAP_AT + bitmap_size(read_u32(from.at + COUNT_AT));

    memcpy(to, from.at, size);
    return (struct capsule_writer){from, to, size, 0};
}

static void
put_mark(struct capsule_writer *writer, unsigned mark, uint32_t count)
{
    write_u16(writer->to + writer->size, (uint16_t)(mark | count << MARK_BITS));
    writer->size += MARK_SIZE;
}

bool
capsule_put(struct capsule_writer *writer, const struct capsule_entry *entry, uint32_t count)
{
    bool is_count = entry->record && entry->size == MARK_SIZE;

    writer->number++;
    if (!count || count > MOST_COUNTED || (count != entry->count && !entry->record))
        return false;
    if (is_count) {
        put_mark(writer, COUNT_MARK, count);
        return true;
    }
    /* One instruction is the rule: no prefix says so, unless the compiler did. */
    if (count > 1 || (entry->prefix && entry->count == 1))
        put_mark(writer, PREFIX_MARK, count);
    if (entry->record)
        memcpy(writer->to + writer->size, writer->from.at + entry->record, entry->size);
    writer->size += entry->size;
    return true;
}

bool
capsule_put_exit(struct capsule_writer *writer, unsigned guard, uint32_t count)
{
    enum { GUARD_IN_RECORD = 4, ALWAYS = 31, NEGATION = 3 };
    uint8_t record[RECORD_UNIT] = {0x01, 0x11, 0, 0x0a, [11] = 0xf8};
    unsigned predicate = guard & 7;
    uint32_t number = writer->number++;

    if (count > MOST_COUNTED)
        return false;
    record[GUARD_IN_RECORD] =
        (uint8_t)((predicate == 7 ? ALWAYS : predicate) << 3 | guard >> NEGATION);
    writer->to[BITMAP_AT + number / 8] &= (uint8_t) ~(1u << number % 8);
    put_mark(writer, PREFIX_MARK, count);
    memcpy(writer->to + writer->size, record, sizeof record);
    writer->size += sizeof record;
    return true;
}

/* What the entries of one word of the bitmap stand for; false: one is damaged. */
static bool
step_word(struct capsule_reader *reader, uint32_t count)
{
    uint32_t here = count - reader->number < 32 ? count - reader->number : 32;
    uint64_t end = (uint64_t)1 << here;
    uint64_t explicit = ~(uint64_t)read_u32(reader->capsule.at + BITMAP_AT + reader->number / 8);
    uint32_t first = reader->number;
    struct capsule_entry entry;

    for (explicit = (explicit & (end - 1)) | end;; explicit &= explicit - 1) {
        uint32_t implied = first + (uint32_t)__builtin_ctzll(explicit) - reader->number;
        reader->number += implied;
        reader->instruction += implied;
        if (explicit == end)
            return true;
        if (!capsule_next(reader, &entry))
            return false;
    }
}

const char *
capsule_check(struct bytes capsule, uint64_t text_size, size_t *offset)
{
    *offset = 0;
    if (capsule.size < BITMAP_AT)
        return "the capsule is too short";
    *offset = VERSION_AT;
    if (read_u32(capsule.at + VERSION_AT) != CAPSULE_VERSION)
        return "the capsule is of an unknown version";
    *offset = COUNT_AT;
    uint32_t count = read_u32(capsule.at + COUNT_AT);
    if (!bytes_hold(capsule, BITMAP_AT, bitmap_size(count)))
        return "the capsule is too short for its entries";
    struct capsule_reader reader = capsule_open(capsule);
    while (reader.number < count) {
        *offset = reader.at;
        if (!step_word(&reader, count))
            return "an entry of the capsule is damaged";
        if (reader.instruction > text_size / SASS_INSTRUCTION)
            return "the capsule describes more instructions than the function has";
    }
    *offset = reader.at;
    if (reader.at != capsule.size)
        return "the capsule does not end with its last entry";
    if ((uint64_t)reader.instruction * SASS_INSTRUCTION != text_size)
        return "the capsule describes fewer instructions than the function has";
    return NULL;
}

uint32_t
capsule_text(struct bytes capsule)
{
    return read_u32(capsule.at + TEXT_AT);
}

void
capsule_set_text(uint8_t *capsule, uint32_t text)
{
    write_u32(capsule + TEXT_AT, text);
}
