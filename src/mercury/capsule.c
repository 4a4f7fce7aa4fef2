#include "mercury/capsule.h"

#include "mercury/capsule_text.h"
#include "mercury/code_places.h"
#include "mercury/compiler_entries.h"
#include "mercury/implied_forms.h"
#include "mercury/scoreboards.h"

#define CAPSULE_VERSION 0xc0000001u

enum {
    TEXT_AT = 0,
    VERSION_AT = 4,
    COUNT_AT = 8,
    COUNT_MARK = 0x50, /* low 7 bits of a 16-bit word with a count of instructions above them */
    PREFIX_MARK = 0x51,
    MARK_BITS = 7,
    MARK_SIZE = 2,
    MOST_COUNTED = UINT16_MAX >> MARK_BITS,
    SHORT_RECORD = 4,
    SHORT_MARK = 0x40,   /* of the first byte of such a record */
    SETTING_MARK = 0x30, /* of the first byte of a record that stands for no instruction */
    RECORD_UNIT = 16,
};

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
        .at = CAPSULE_BITMAP_AT + bitmap_size(read_u32(capsule.at + COUNT_AT)),
    };
}

uint32_t
capsule_entry_count(struct bytes capsule)
{
    return read_u32(capsule.at + COUNT_AT);
}

static bool
is_implied(struct bytes capsule, uint32_t number)
{
    return capsule.at[CAPSULE_BITMAP_AT + number / 8] >> number % 8 & 1;
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
    case SETTING_MARK >> 4:
        return (size_t)units * RECORD_UNIT;
    case 4:
        return units ? SHORT_RECORD : 0;
    }
    return 0;
}

static bool
is_setting(uint8_t first)
{
    return (first & 0xf0) == SETTING_MARK;
}

bool
capsule_has_settings(struct bytes capsule)
{
    struct capsule_reader reader = capsule_open(capsule);

    return reader.at < capsule.size && !is_implied(capsule, 0) && is_setting(capsule.at[reader.at]);
}

bool
capsule_holds_place(struct bytes capsule, uint64_t mercury, uint64_t sass)
{
    return mercury / 2 <= sass ||
           (capsule.size >= CAPSULE_BITMAP_AT && capsule_has_settings(capsule) &&
            mercury / 2 - sass <= capsule.size);
}

/* What is said of an entry that is not implied. Most have no mark, and begin with a byte that none begins with. */
static bool
read_explicit(struct capsule_reader *reader, struct capsule_entry *entry)
{
    struct bytes capsule = reader->capsule;
    uint32_t covered = 0, without_mercury = 0;

    if (reader->at >= capsule.size)
        return false;
    if ((capsule.at[reader->at] & COUNT_MARK) == COUNT_MARK) {
        covered = marked_count(reader, PREFIX_MARK);
        without_mercury = marked_count(reader, COUNT_MARK);
    }
    if (covered) {
        entry->prefix = reader->at;
        entry->count = covered;
        reader->at += MARK_SIZE;
    }
    if (reader->at >= capsule.size)
        return false;
    entry->record = reader->at;
    entry->size = without_mercury ? MARK_SIZE : record_size(capsule.at[reader->at]);
    if (without_mercury)
        entry->count = without_mercury;
    else if (is_setting(capsule.at[reader->at]))
        entry->count = 0;
    if (!entry->size || !bytes_hold(capsule, entry->record, entry->size))
        return false;
    reader->at += entry->size;
    reader->instruction += entry->count;
    reader->number++;
    return true;
}

bool
capsule_next(struct capsule_reader *reader, struct capsule_entry *entry)
{
    if (reader->number == capsule_entry_count(reader->capsule))
        return false;
    *entry = (struct capsule_entry){.first = reader->instruction, .count = 1};
    if (!is_implied(reader->capsule, reader->number))
        return read_explicit(reader, entry);
    reader->instruction++;
    reader->number++;
    return true;
}

bool
capsule_is_done(const struct capsule_reader *reader)
{
    return reader->number == capsule_entry_count(reader->capsule);
}

uint32_t
capsule_pass_implied(struct capsule_reader *reader, uint32_t most)
{
    uint32_t first = reader->number, count = capsule_entry_count(reader->capsule);
    uint32_t end = most < count - first ? first + most : count ? count - 1 : 0;

    while (reader->number < end) {
        uint64_t implied = read_u32(reader->capsule.at + CAPSULE_BITMAP_AT +
                                    reader->number / 32 * sizeof(uint32_t));
        uint32_t run = (uint32_t)__builtin_ctzll(~(implied >> reader->number % 32));
        if (!run)
            break;
        reader->number += run < end - reader->number ? run : end - reader->number;
    }
    reader->instruction += reader->number - first;
    return reader->number - first;
}

/* Instructions and bytes of an entry that is not implied, with its prefix. */
static inline uint32_t
measure_explicit(const uint8_t *at, size_t *size)
{
    uint32_t word = read_u16(at), mark = word & ((1u << MARK_BITS) - 1),
             counted = word >> MARK_BITS;

    if (mark == PREFIX_MARK && counted) {
        *size = MARK_SIZE + record_size(at[MARK_SIZE]);
        return counted;
    }
    bool is_count = mark == COUNT_MARK && counted;
    *size = is_count ? MARK_SIZE : record_size(*at);
    return is_count ? counted : !is_setting(*at);
}

uint32_t
capsule_pass(struct capsule_reader *reader, uint32_t most)
{
    const uint8_t *capsule = reader->capsule.at;
    uint32_t count_of_all = capsule_entry_count(reader->capsule);
    uint32_t last = count_of_all ? count_of_all - 1 : 0, number = reader->number, passed = 0;

    while (number < last) {
        uint64_t implied =
            read_u32(capsule + CAPSULE_BITMAP_AT + number / 32 * sizeof(uint32_t)) >> number % 32;
        uint32_t run = (uint32_t)__builtin_ctzll(~implied), count;
        size_t size = 0;

        if (run)
            count = run = run < last - number ? run : last - number;
        else
            count = measure_explicit(capsule + reader->at, &size);
        if (run && count > most - passed)
            count = run = most - passed;
        if (count > most - passed || (!run && !size))
            break;
        number += run ? run : 1;
        reader->at += size;
        passed += count;
    }
    reader->number = number;
    reader->instruction += passed;
    return passed;
}

struct capsule_writer
capsule_copy(struct bytes from, uint8_t *to)
{
    size_t size = CAPSULE_BITMAP_AT + bitmap_size(read_u32(from.at + COUNT_AT));

    memcpy(to, from.at, size);
    return (struct capsule_writer){from, to, size, 0};
}

static void
set_implied(struct capsule_writer *writer, bool is_implied)
{
    uint32_t number = writer->number++;
    uint8_t *bits = writer->to + CAPSULE_BITMAP_AT + number / 8, bit = (uint8_t)(1u << number % 8);

    *bits = (uint8_t)(is_implied ? *bits | bit : *bits & ~bit);
}

void
capsule_put_implied(struct capsule_writer *writer)
{
    set_implied(writer, true);
}

void
capsule_put_short(struct capsule_writer *writer, uint32_t record)
{
    set_implied(writer, false);
    write_u32(writer->to + writer->size, record);
    writer->size += SHORT_RECORD;
}

static void
put_mark(struct capsule_writer *writer, unsigned mark, uint32_t count)
{
    write_u16(writer->to + writer->size, (uint16_t)(mark | count << MARK_BITS));
    writer->size += MARK_SIZE;
}

/* Is it an instruction at which a warp converges? It has all of its record only where more than one
   instruction of SASS stands for it. */
static bool
is_converging(struct bytes capsule, const struct capsule_entry *entry)
{
    static const uint8_t records[][SHORT_RECORD] = {
        {0x01, 0x47, 0x6e, 0x0a}, {0x01, 0x47, 0x70, 0x0a}, {0x01, 0x47, 0x76, 0x0a}};

    for (size_t i = 0; i < sizeof records / sizeof *records; i++)
        if (entry->size == RECORD_UNIT &&
            !memcmp(capsule.at + entry->record, records[i], SHORT_RECORD))
            return true;
    return false;
}

/* An exit has a record only where it is guarded. */
static bool
is_exit(struct bytes capsule, const struct capsule_entry *entry)
{
    static const uint8_t record[SHORT_RECORD] = {0x01, 0x11, 0, 0x0a};

    return entry->size == RECORD_UNIT && !memcmp(capsule.at + entry->record, record, sizeof record);
}

bool
capsule_put(struct capsule_writer *writer, const struct capsule_entry *entry, uint32_t count)
{
    bool is_count = entry->record && entry->size == MARK_SIZE;

    if (count == 1 && entry->count > 1 && is_exit(writer->from, entry)) {
        capsule_put_implied(writer);
        return true;
    }
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
    size_t size =
        count < entry->count && is_converging(writer->from, entry) ? SHORT_RECORD : entry->size;
    if (entry->record)
        memcpy(writer->to + writer->size, writer->from.at + entry->record, size);
    if (size < entry->size)
        writer->to[writer->size] |= SHORT_MARK;
    writer->size += size;
    return true;
}

void
capsule_put_passed(struct capsule_writer *writer, const struct capsule_reader *from,
                   const struct capsule_reader *to)
{
    memcpy(writer->to + writer->size, from->capsule.at + from->at, to->at - from->at);
    writer->size += to->at - from->at;
    writer->number += to->number - from->number;
}

static uint8_t
recorded_predicate(unsigned predicate)
{
    enum { ALWAYS = 7, RECORDED_ALWAYS = 31, NEGATION = 3 };
    unsigned number = predicate & ALWAYS;

    return (uint8_t)((number == ALWAYS ? RECORDED_ALWAYS : number) << 3 | predicate >> NEGATION);
}

bool
capsule_put_exit(struct capsule_writer *writer, unsigned guard, unsigned predicate, uint32_t count)
{
    enum { GUARD_IN_RECORD = 4, PREDICATE_IN_RECORD = 11 };
    uint8_t record[RECORD_UNIT] = {0x01, 0x11, 0, 0x0a};

    if (count > MOST_COUNTED)
        return false;
    set_implied(writer, false);
    record[GUARD_IN_RECORD] = recorded_predicate(guard);
    record[PREDICATE_IN_RECORD] = recorded_predicate(predicate);
    put_mark(writer, PREFIX_MARK, count);
    memcpy(writer->to + writer->size, record, sizeof record);
    writer->size += sizeof record;
    return true;
}

struct capsule_checker {
    struct capsule_reader reader;
    struct bytes text;
    enum text_writer writer;
    bool is_of_compiler;
    bool is_doubtful; /* all instructions are looked at once more */
    struct capsule_place *place;
    struct code_map_maker *maker; /* NULL: no map is made */
    uint32_t count;               /* of entries */
    size_t known_end;             /* from here on the text is what its last entry says */
};

static const char MORE[] = "the capsule describes more instructions than the function has";

/* Instructions of an entry that is not implied. */
static void
doubt_damaged(struct capsule_checker *checker, size_t at, uint32_t count)
{
    struct bytes text = checker->text;

    for (; text.at && count > 0; count--, at += SASS_INSTRUCTION)
        checker->is_doubtful |= impossible_bits(read_instruction(text.at + at), at, text.size) != 0;
}

/* An option of the scheduler and its values: one or two, or three in a longer one. */
enum setting { OPTION_AT = 3, VALUES_AT = 6, SECOND_VALUE_AT = 11 };

static bool
is_known_setting(const uint8_t *record)
{
    enum { MARK = 0x02, OPTION_SIZE = 8, MOST_IF_SHORT = 2, MOST = 3 };
    unsigned units = record[0] - SETTING_MARK, values = record[VALUES_AT];

    return record[1] == MARK && !record[2] && read_u16(record + OPTION_AT) % OPTION_SIZE == 0 &&
           values > 0 && (units == 1 ? values <= MOST_IF_SHORT : units == 2 && values == MOST);
}

/* Of one that is alone there is no second. */
static bool
has_values(const uint8_t *record)
{
    return record[VALUES_AT] != 1 ||
           (!read_u32(record + SECOND_VALUE_AT) && !record[RECORD_UNIT - 1]);
}

/* What has no mercury in the middle of code. */
static bool
may_have_no_record(struct bytes capsule, const uint8_t *text, uint32_t count)
{
    return is_filling(text, count) ||
           (capsule_has_settings(capsule) && is_filling_by_settings(text, count));
}

static bool
entry_fits(const struct capsule_checker *checker, const struct capsule_entry *entry,
           const uint8_t *text, bool is_last)
{
    struct bytes capsule = checker->reader.capsule;

    if (!entry->count)
        return is_known_setting(capsule.at + entry->record) &&
               has_values(capsule.at + entry->record);
    if (entry->size == MARK_SIZE)
        return is_last ? is_end_of_text(text, entry->count)
                       : may_have_no_record(capsule, text, entry->count);
    if (checker->writer == TEXT_OF_ANY)
        return true;
    bool are_all_known = checker->writer != TEXT_OF_OTHER_COMPILER;
    if (!entry_fits_text(capsule, entry, text, are_all_known))
        return false;
    return entry_is_of_compiler(capsule, entry, text, are_all_known);
}

/* The next entry, which is not implied; NULL, or what is wrong. */
static const char *
check_entry(struct capsule_checker *checker)
{
    struct capsule_reader *reader = &checker->reader;
    struct capsule_entry entry = {.first = reader->instruction, .count = 1};

    checker->place->offset = reader->at;
    if (!read_explicit(reader, &entry))
        return "an entry of the capsule is damaged";
    if (reader->instruction > checker->text.size / SASS_INSTRUCTION)
        return MORE;
    if (checker->maker)
        code_map_add(checker->maker, reader->capsule, &entry);
    size_t at = (size_t)entry.first * SASS_INSTRUCTION;
    bool is_last = reader->number == checker->count;
    if (is_last && entry.size == MARK_SIZE)
        checker->known_end = at;
    else
        doubt_damaged(checker, at, entry.count);
    /* Several instructions are others where there are settings. */
    if (!checker->text.at || entry_fits(checker, &entry, checker->text.at + at, is_last) ||
        (entry.count > 1 && entry.size != MARK_SIZE && capsule_has_settings(reader->capsule)))
        return NULL;
    *checker->place = (struct capsule_place){at, true};
    return "the instruction is not the one that the capsule has";
}

/* The next ones, which are. */
static const char *
check_implied(struct capsule_checker *checker, uint32_t count)
{
    struct capsule_reader *reader = &checker->reader;
    uint32_t first = reader->instruction;

    reader->number += count;
    reader->instruction += count;
    if (reader->instruction > checker->text.size / SASS_INSTRUCTION)
        return MORE;
    uint32_t other = UINT32_MAX;
    if (checker->is_of_compiler)
        other = map_implied_forms(checker->maker, first, count, &checker->is_doubtful);
    else if (checker->maker)
        code_map_add_implied(checker->maker, first, count);
    if (other == UINT32_MAX)
        return NULL;
    *checker->place = (struct capsule_place){((size_t)first + other) * SASS_INSTRUCTION, true};
    return "an instruction that no compiler writes without a record";
}

/* The entries of one word of the bitmap. */
static const char *
check_word(struct capsule_checker *checker)
{
    struct capsule_reader *reader = &checker->reader;
    uint32_t first = reader->number;
    uint32_t here = checker->count - first < 32 ? checker->count - first : 32;
    uint64_t end = (uint64_t)1 << here;
    uint64_t explicit = ~(uint64_t)read_u32(reader->capsule.at + CAPSULE_BITMAP_AT + first / 8);

    for (explicit = (explicit & (end - 1)) | end;; explicit &= explicit - 1) {
        uint32_t implied = first + (uint32_t)__builtin_ctzll(explicit) - reader->number;
        const char *problem = implied ? check_implied(checker, implied) : NULL;
        if (problem || explicit == end)
            return problem;
        problem = check_entry(checker);
        if (problem)
            return problem;
    }
}

static const char *
check_entries(struct capsule_checker *checker)
{
    const struct capsule_reader *reader = &checker->reader;

    while (reader->number < checker->count) {
        checker->place->offset = reader->at;
        const char *problem = check_word(checker);
        if (problem)
            return problem;
    }
    checker->place->offset = reader->at;
    if (reader->at != reader->capsule.size)
        return "the capsule does not end with its last entry";
    if ((uint64_t)reader->instruction * SASS_INSTRUCTION != checker->text.size)
        return "the capsule describes fewer instructions than the function has";
    size_t reserved = checker->text.at && checker->is_doubtful && checker->writer != TEXT_OF_ANY
                          ? find_damaged_instruction(checker->text, checker->known_end)
                          : SIZE_MAX;
    *checker->place = (struct capsule_place){reserved, true};
    if (reserved != SIZE_MAX)
        return "an instruction that no function has";
    if (checker->is_of_compiler)
        checker->place->offset = find_odd_scoreboard(checker->text, checker->known_end);
    return checker->place->offset == SIZE_MAX ? NULL : "a scoreboard that nothing goes with";
}

/* Of the last word of the bitmap, those behind the last entry. */
static bool
has_more_bits(struct bytes capsule, uint32_t count)
{
    return count % 32 &&
           read_u32(capsule.at + CAPSULE_BITMAP_AT + count / 32 * sizeof(uint32_t)) >> count % 32;
}

const char *
capsule_check(struct bytes capsule, struct bytes text, enum text_writer writer,
              struct capsule_place *place, struct code_map_maker *maker)
{
    bool is_of_compiler = writer == TEXT_OF_COMPILER || writer == TEXT_OF_OTHER_COMPILER;

    *place = (struct capsule_place){0, false};
    if (capsule.size < CAPSULE_BITMAP_AT)
        return "the capsule is too short";
    place->offset = VERSION_AT;
    if (read_u32(capsule.at + VERSION_AT) != CAPSULE_VERSION)
        return "the capsule is of an unknown version";
    place->offset = COUNT_AT;
    uint32_t count = read_u32(capsule.at + COUNT_AT);
    if (!bytes_hold(capsule, CAPSULE_BITMAP_AT, bitmap_size(count)))
        return "the capsule is too short for its entries";
    if (has_more_bits(capsule, count))
        return "the capsule has bits of entries that there are not";
    if (maker) {
        code_map_begin(maker, count);
        maker->has_settings = maker->map->has_settings = count && capsule_has_settings(capsule);
    }
    return check_entries(&(struct capsule_checker){.reader = capsule_open(capsule),
                                                   .text = text,
                                                   .writer = writer,
                                                   .is_of_compiler = is_of_compiler,
                                                   .is_doubtful = !is_of_compiler,
                                                   .place = place,
                                                   .maker = maker,
                                                   .count = count,
                                                   .known_end = text.size});
}

void
capsule_set_header(uint8_t *capsule, uint32_t text, uint32_t count)
{
    write_u32(capsule + TEXT_AT, text);
    write_u32(capsule + VERSION_AT, CAPSULE_VERSION);
    write_u32(capsule + COUNT_AT, count);
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
