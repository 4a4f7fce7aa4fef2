#include "mercury/record_shapes.h"

#include "base/bytes.h"
#include "base/sorted.h"
#include "schedule/operands.h"

#include <stdbool.h>
#include <stddef.h>

/* Bits of an instruction that follow from bits of the record: they are the same, or a map tells what they are. */
struct shape_field {
    uint16_t text_bit, record_bit;
    uint8_t width, record_width; /* 0: there are no more */
    uint16_t map;                /* 0: none */
};

struct record_shape {
    uint32_t key;        /* the first four bytes of the record, the first one highest */
    uint8_t count;       /* of instructions */
    uint16_t first_word; /* of masks and values, each as many as it and its code have */
    uint16_t first_field;
};

/* Of what nvlink makes nothing of, whatever stands there. */
enum { ANYTHING = 0xff };

enum { WORDS_OF_INSTRUCTION = 2 };

/* Tables without pointers, which would cost every start of the program: the lists of all shapes stand behind each
   other, and it is counted where each begins. */
/* clang-format off */
#define MAP(name, ...) uint8_t name[sizeof((uint8_t[]){__VA_ARGS__})];
static const struct shape_maps {
    uint8_t none;
#include "mercury/record_maps.inc"
#undef MAP
#define MAP(name, ...) {__VA_ARGS__},
} shape_maps = {0,
#include "mercury/record_maps.inc"
#undef MAP
};

#define FIELD(number, bit, record_bit, width) \
    {(number) * 8 * INSTRUCTION_SIZE + (bit), record_bit, width, width, 0},
#define MAPPED(number, bit, record_bit, width, record_width, name) \
    {(number) * 8 * INSTRUCTION_SIZE + (bit), record_bit, width, record_width, offsetof(struct shape_maps, name)},
#define WORDS(...) {__VA_ARGS__}
#define FIELDS(...) {__VA_ARGS__ {0}}

#define SHAPE(name, key, count, words, fields) uint64_t of_##name[sizeof((uint64_t[])words) / sizeof(uint64_t)];
static const struct shape_words {
#include "mercury/record_shapes.inc"
#undef SHAPE
#define SHAPE(name, key, count, words, fields) words,
} shape_words = {
#include "mercury/record_shapes.inc"
#undef SHAPE
};

#define SHAPE(name, key, count, words, fields) \
    struct shape_field of_##name[sizeof((struct shape_field[])fields) / sizeof(struct shape_field)];
static const struct shape_fields {
#include "mercury/record_shapes.inc"
#undef SHAPE
#define SHAPE(name, key, count, words, fields) fields,
} shape_fields = {
#include "mercury/record_shapes.inc"
#undef SHAPE
};

#define SHAPE(name, key, count, words, fields) \
    {key, count, offsetof(struct shape_words, of_##name) / sizeof(uint64_t), \
     offsetof(struct shape_fields, of_##name) / sizeof(struct shape_field)},
static const struct record_shape shapes[] = {
#include "mercury/record_shapes.inc"
};
/* clang-format on */

enum { SHAPES = sizeof shapes / sizeof *shapes };

/* The first with these three bytes, or with larger ones. */
static const struct record_shape *
first_shape(uint32_t key)
{
    return shapes + first_not_below(shapes, SHAPES, sizeof *shapes, key << 8);
}

/* ---- one shape ---- */

static const uint64_t *
words_of(const struct record_shape *shape)
{
    return (const uint64_t *)&shape_words + shape->first_word;
}

static const struct shape_field *
fields_of(const struct record_shape *shape)
{
    return (const struct shape_field *)&shape_fields + shape->first_field;
}

/* A record and its instructions, in words. */
struct subject {
    const uint8_t *record, *text;
    size_t record_words, text_words;
};

static uint64_t
differing_bits(const uint64_t *masks, const uint64_t *values, const uint8_t *bytes, size_t words)
{
    uint64_t differs = 0;

    for (size_t i = 0; i < words; i++)
        differs |= (read_u64(bytes + i * sizeof(uint64_t)) & masks[i]) ^ values[i];
    return differs;
}

static bool
text_has(const struct subject *subject, const uint64_t *masks, const uint64_t *values)
{
    size_t before = subject->record_words;
    return !differing_bits(masks + before, values + before, subject->text, subject->text_words);
}

static uint32_t
set_bits(unsigned width)
{
    return width < 32 ? (1u << width) - 1 : UINT32_MAX;
}

/* Some bits of as many words, of which there are two at least. */
static uint32_t
bits_at(const uint8_t *bytes, size_t words, unsigned bit, unsigned width)
{
    size_t last = words * sizeof(uint64_t) - sizeof(uint32_t), at = bit / 8;

    if (at > last)
        at = last;
    return read_u32(bytes + at) >> (bit - 8 * at) & set_bits(width);
}

/* ---- operands ---- */

/* Sixteen bits of a record, the last of which are a number: registers that an instruction names by it. */
enum { NUMBER_AT = 6, OPERAND = 16, NUMBER = 8, NO_REGISTER = 0x3ff };

static bool
is_number_of_register(const struct shape_field *field)
{
    return field->width == NUMBER && field->record_bit % 8 == NUMBER_AT;
}

static uint32_t
operand_of(const struct shape_field *field, const struct subject *subject)
{
    return bits_at(subject->record, subject->record_words, field->record_bit - NUMBER_AT, OPERAND);
}

/* What is said of a register before its number, in a word of the record: other things of one that is none. */
static uint64_t
bits_before_no_register(const struct record_shape *shape, const struct subject *subject,
                        size_t word)
{
    enum { WORD_BITS = 64 };
    const struct shape_field *field = fields_of(shape);
    uint64_t bits = 0;

    for (; field->width; field++) {
        unsigned begin = field->record_bit - NUMBER_AT;

        if (is_number_of_register(field) && begin / WORD_BITS == word &&
            operand_of(field, subject) >> NUMBER_AT == NO_REGISTER)
            bits |= (uint64_t)set_bits(NUMBER_AT) << begin % WORD_BITS;
    }
    return bits;
}

/* The first bit of an operand says whether it is written, the next two how many registers it has after the first. Of
   numbers two more bits go with a register, of none all are set. Of two components that are fetched into an operand one
   may not be needed. */
bool
operand_fits(uint32_t operand, const uint8_t *text, unsigned text_bit)
{
    enum { IS_WRITTEN = 1, MORE_AT = 1, WIDTH = 7, REGISTERS = 0xff, SECOND_RESULT = 64 };
    const struct instruction instruction = read_instruction(text);
    uint32_t number = operand >> NUMBER_AT;
    bool is_written, is_fetch;

    if (number >= REGISTERS)
        return number == NO_REGISTER;
    unsigned count = registers_at(&instruction, text_bit, &is_written);
    uint32_t least = (count - 1) << MORE_AT | (is_written ? IS_WRITTEN : 0);

    if (!count || (operand & WIDTH) == least)
        return true;
    registers_at(&instruction, SECOND_RESULT, &is_fetch);
    return is_fetch && count == 1 && (operand & WIDTH) == (1 << MORE_AT | IS_WRITTEN);
}

/* ---- all of one shape ---- */

static bool
record_has(const struct record_shape *shape, const struct subject *subject, const uint64_t *masks,
           const uint64_t *values)
{
    for (size_t i = 0; i < subject->record_words; i++) {
        uint64_t differs =
            differing_bits(masks + i, values + i, subject->record + i * sizeof(uint64_t), 1);

        if (differs && differs & ~bits_before_no_register(shape, subject, i))
            return false;
    }
    return true;
}

static bool
field_is_right(const struct shape_field *field, const struct subject *subject)
{
    uint32_t here = bits_at(subject->text, subject->text_words, field->text_bit, field->width);
    uint32_t there =
        bits_at(subject->record, subject->record_words, field->record_bit, field->record_width);

    if (!field->map)
        return here == there;
    unsigned meant = ((const uint8_t *)&shape_maps)[field->map + there];
    return meant == here || meant == ANYTHING;
}

static bool
fields_fit(const struct record_shape *shape, const struct subject *subject)
{
    const struct shape_field *field = fields_of(shape);

    while (field->width && field_is_right(field, subject))
        field++;
    return !field->width;
}

/* Registers are where they always are in a record, whatever its form. Of records that stand for one instruction they
   are asked for their widths: others have results that only the next instruction reads. */
static bool
registers_fit(const struct record_shape *shape, const struct subject *subject)
{
    for (const struct shape_field *field = fields_of(shape); field->width; field++)
        if (is_number_of_register(field) &&
            (!field_is_right(field, subject) ||
             (shape->count == 1 &&
              !operand_fits(operand_of(field, subject), subject->text, field->text_bit))))
            return false;
    return true;
}

/* ---- all of a record ---- */

/* Fences and waits, which a record has around its instructions in some places and not in others. */
static bool
may_be_around(const uint8_t *text)
{
    switch (read_u16(text) & 0xfff) {
    case 0x984:
    case 0x992:
    case 0x9ab:
    case 0x5ab:
    case 0x98f:
    case 0x918:
        return true;
    }
    return false;
}

/* A record of nothing else is one of all of them. */
static void
leave_out_fences(const uint8_t **text, uint32_t *count)
{
    const uint8_t *first = *text, *end = first + (size_t)*count * INSTRUCTION_SIZE;

    while (first < end && may_be_around(first))
        first += INSTRUCTION_SIZE;
    if (first == end)
        return;
    while (may_be_around(end - INSTRUCTION_SIZE))
        end -= INSTRUCTION_SIZE;
    *text = first;
    *count = (uint32_t)((size_t)(end - first) / INSTRUCTION_SIZE);
}

static bool
has_opcodes(const uint64_t *text_values, const struct subject *subject)
{
    uint64_t differs = 0;

    for (size_t i = 0; i < subject->text_words; i += WORDS_OF_INSTRUCTION)
        differs |= read_u64(subject->text + i * sizeof(uint64_t)) ^ text_values[i];
    return !(differs & 0xfff);
}

/* No two shapes have the same opcodes. If the record has none of these, one was changed; but there are
   more fences than were seen. Where neither record nor instructions are as usual, they are of a form that was not
   seen. */
static enum shape_answer
compare_with_these(const struct record_shape *shape, const struct record_shape *end, uint32_t count,
                   const struct subject *subject)
{
    enum shape_answer answer = SHAPE_UNKNOWN;

    for (; shape < end; shape++) {
        if (shape->count != count || (shape->key & 0xff) != subject->record[3])
            continue;
        const uint64_t *masks = words_of(shape);
        const uint64_t *values = masks + subject->record_words + subject->text_words;

        answer = may_be_around(subject->text) ? SHAPE_FITS : SHAPE_DIFFERS;
        if (has_opcodes(values + subject->record_words, subject)) {
            bool is_text = text_has(subject, masks, values);
            bool is_record = record_has(shape, subject, masks, values);
            return is_record == is_text && (!is_text || fields_fit(shape, subject)) &&
                           registers_fit(shape, subject)
                       ? SHAPE_FITS
                       : SHAPE_DIFFERS;
        }
    }
    return answer;
}

/* The fourth byte goes with the three before it. */
static bool
has_fourth_byte(const struct record_shape *shape, const struct record_shape *end, uint8_t byte)
{
    for (; shape < end; shape++)
        if ((shape->key & 0xff) == byte)
            return true;
    return false;
}

/* A barrier that is made in shared memory ends in these two, which may be beside any other record. */
static bool
ends_in_new_barrier(const uint8_t *text, uint32_t count)
{
    enum { FENCE_OF_VIEW = 0x3c6, SYNCS = 0x9b1, BOTH = 2, OPCODE = 0xfff };
    const uint8_t *last = text + (size_t)(count - BOTH) * INSTRUCTION_SIZE;

    return count > BOTH && (read_u16(last) & OPCODE) == FENCE_OF_VIEW &&
           (read_u16(last + INSTRUCTION_SIZE) & OPCODE) == SYNCS;
}

static enum shape_answer
compare_without_fences(const struct record_shape *shape, const struct record_shape *end,
                       const uint8_t *record, size_t size, uint32_t count, const uint8_t *text)
{
    leave_out_fences(&text, &count);
    return compare_with_these(shape, end, count,
                              &(struct subject){record, text, size / sizeof(uint64_t),
                                                (size_t)count * WORDS_OF_INSTRUCTION});
}

enum shape_answer
compare_with_shapes(const uint8_t *record, size_t size, uint32_t count, const uint8_t *text)
{
    enum { NEW_BARRIER = 2 };
    uint32_t key = record_head(record) >> 8;
    const struct record_shape *first = first_shape(key), *end = first;

    while (end < shapes + SHAPES && end->key >> 8 == key)
        end++;
    if (first == end)
        return SHAPE_UNKNOWN;
    if (!has_fourth_byte(first, end, record[3]))
        return SHAPE_DIFFERS;
    enum shape_answer answer = compare_without_fences(first, end, record, size, count, text);
    if (answer == SHAPE_DIFFERS && ends_in_new_barrier(text, count))
        return compare_without_fences(first, end, record, size, count - NEW_BARRIER, text);
    return answer;
}

/* ---- records that are not known ---- */

/* Records of one group and class, whatever their number. */
static bool
are_related(uint32_t key, uint32_t other)
{
    const uint32_t number = 0xfe00;

    return !((key ^ other) & ~number);
}

static bool
is_text_of(const struct record_shape *shape, const uint8_t *text)
{
    enum { UNITS_AT = 24, UNITS = 0xf, WORDS_OF_UNIT = 2 };
    const uint16_t opcode = 0xfff;
    const struct subject subject = {NULL, text, (shape->key >> UNITS_AT & UNITS) * WORDS_OF_UNIT,
                                    (size_t)shape->count * WORDS_OF_INSTRUCTION};
    const uint64_t *masks = words_of(shape);
    const uint64_t *values = masks + subject.record_words + subject.text_words;

    return !((read_u16(text) ^ values[subject.record_words]) & opcode) &&
           text_has(&subject, masks, values);
}

bool
is_of_other_record(const uint8_t *record, uint32_t count, const uint8_t *text)
{
    enum { IS_NO_ARITHMETIC = 0x100 };
    uint32_t key = record_head(record);
    bool is_known = false;

    leave_out_fences(&text, &count);
    /* Many records are of fences alone, and arithmetic has more than were ever seen. */
    if (may_be_around(text) || !(read_u16(text) & IS_NO_ARITHMETIC))
        return false;
    for (const struct record_shape *shape = shapes; shape < shapes + SHAPES; shape++) {
        if (shape->count != count || !is_text_of(shape, text))
            continue;
        if (are_related(key, shape->key))
            return false;
        is_known = true;
    }
    return is_known;
}
