#include "mercury/implied_forms.h"

#include "mercury/capsule_text.h"
#include "mercury/combinations.h"
#include "mercury/control_bits.h"

/* Bits of an instruction that are always the same. */
struct implied_form {
    uint64_t low_mask, high_mask, low, high;
};

/* The numbers of all forms, from 1 on. */
enum form_number {
    NO_FORM,
#define FORM(opcode, ...) FORM_##opcode,
#define FORM_IF(opcode, ...) FORM_##opcode, PLAIN_##opcode,
#include "mercury/implied_forms.inc"
#undef FORM
#undef FORM_IF
    FORM_COUNT
};

static const struct implied_form forms[FORM_COUNT] = {
#define FORM(opcode, ...) [FORM_##opcode] = {__VA_ARGS__},
#define FORM_IF(opcode, flag, low_mask, high_mask, low, high, plain_mask, plain)                   \
    [FORM_##opcode] = {low_mask, high_mask, low, high},                                            \
    [PLAIN_##opcode] = {low_mask, (high_mask) | (plain_mask), low, (high) | (plain)},
#include "mercury/implied_forms.inc"
#undef FORM
#undef FORM_IF
};

/* By opcode, and by two bits of the upper half, either of which may say that there is more to it. */
enum { FLAGS = 0x500, FLAG_SHIFT = 4 };
#define FORM_SLOT(opcode, flags) ((opcode) | (flags) << FLAG_SHIFT)

_Static_assert(FORM_COUNT <= UINT8_MAX, "the number of a form is a byte");
static const uint8_t form_of[FORM_SLOT(0xfff, FLAGS) + 1] = {
#define FORM(opcode, ...)                                                                          \
    [FORM_SLOT(opcode, 0)] = FORM_##opcode, [FORM_SLOT(opcode, 0x100)] = FORM_##opcode,            \
                       [FORM_SLOT(opcode, 0x400)] = FORM_##opcode,                                 \
                       [FORM_SLOT(opcode, FLAGS)] = FORM_##opcode,
#define FORM_IF(opcode, flag, ...)                                                                 \
    [FORM_SLOT(opcode, 0)] = PLAIN_##opcode, [FORM_SLOT(opcode, FLAGS ^ (flag))] = PLAIN_##opcode, \
                       [FORM_SLOT(opcode, flag)] = FORM_##opcode,                                  \
                       [FORM_SLOT(opcode, FLAGS)] = FORM_##opcode,
#include "mercury/implied_forms.inc"
#undef FORM
#undef FORM_IF
};

static inline unsigned
form_number_of(uint64_t low, uint64_t high)
{
    return form_of[FORM_SLOT(low & 0xfff, high & FLAGS)];
}

/*
 * Operands that an instruction has not where bits of its upper half say so: nvlink writes what stands for none there,
 * as do compilers. Found by changing each bit of instructions, and held against 430,000 different ones. The first of two
 * rows is for shifts to the left, the second for those to the right; others have the same twice.
 */
struct absent_operand {
    uint64_t flags, absent; /* these bits of the upper half are so where it is absent */
    uint64_t low_mask, high_mask, low, high;
};

enum {
    DIRECTION_AT = 12, /* in the upper half */
    IS_UPPER_HALF = 1 << 16,
    IS_UNIFORM = 1 << 27,
    ALWAYS = 7 << 23,
    NEGATED = 1 << 26,
};
#define FIRST_REGISTER 0xff000000u
#define SECOND_REGISTER 0xff00000000u
#define THIRD_REGISTER 0xffu

enum absent_number { OF_SHIFT = 2, OF_BRANCH = 4, OF_LOAD = 6, OF_TEST = 8 }; /* 0: of none */

static const struct absent_operand absent_operands[] = {
    [OF_SHIFT] = {IS_UPPER_HALF, 0, 0, THIRD_REGISTER, 0, THIRD_REGISTER},
    [OF_SHIFT + 1] = {IS_UPPER_HALF, IS_UPPER_HALF, FIRST_REGISTER, 0, FIRST_REGISTER, 0},
    [OF_BRANCH] = {IS_UNIFORM, 0, FIRST_REGISTER, 0, 0, 0},
    [OF_BRANCH + 1] = {IS_UNIFORM, 0, FIRST_REGISTER, 0, 0, 0},
    [OF_LOAD] = {IS_UNIFORM, 0, SECOND_REGISTER, 0, 0, 0},
    [OF_LOAD + 1] = {IS_UNIFORM, 0, SECOND_REGISTER, 0, 0, 0},
    [OF_TEST] = {ALWAYS, ALWAYS, 0, NEGATED, 0, 0},
    [OF_TEST + 1] = {ALWAYS, ALWAYS, 0, NEGATED, 0, 0},
};

static const uint8_t absent_of[4096] = {
    [0x219] = OF_SHIFT, [0x819] = OF_SHIFT,  [0x899] = OF_SHIFT, [0x299] = OF_SHIFT,
    [0xc19] = OF_SHIFT, [0x947] = OF_BRANCH, [0x984] = OF_LOAD,  [0x20b] = OF_TEST,
    [0x80b] = OF_TEST,  [0xc0b] = OF_TEST,   [0x22a] = OF_TEST,
};

/* Without branches, which nobody could predict. */
static inline uint64_t
absent_operand_bits(uint64_t low, uint64_t high)
{
    const struct absent_operand *one =
        &absent_operands[absent_of[low & 0xfff] + (high >> DIRECTION_AT & 1)];
    uint64_t is_absent = 0u - (uint64_t)((high & one->flags) == one->absent);

    return (((low & one->low_mask) ^ one->low) | ((high & one->high_mask) ^ one->high)) & is_absent;
}

/* A bit for each opcode that mercury may have no record of. Of others nvlink makes something else. */
/* clang-format off */
static const uint64_t implied_opcodes[64] = {
    0, 0, 0, 0,
    0, 0, 0, 0,
    0x455f0ffb866f9f84u, 0x40000000000169u, 0xa000003002471080u, 0x400u,
    0xf03f7u, 0x98u, 0x40200000102u, 0x10u,
    0x1b001a02400000u, 0x40u, 0x1000000000u, 0,
    0, 0x80u, 0x200u, 0,
    0, 0, 0, 0,
    0, 0, 0, 0,
    0x84600b916479bdcu, 0x141u, 0x30024710ccu, 0,
    0x1040154u, 0x310162f6u, 0x80000000039au, 0,
    0, 0, 0, 0,
    0, 0, 0, 0,
    0x404609f9024f9f84u, 0x40000000000160u, 0x4u, 0,
    0x50361u, 0, 0, 0,
    0x100eba02000000u, 0x40u, 0, 0,
    0, 0, 0x200u, 0,
};
/* clang-format on */

static bool
may_be_implied(unsigned opcode)
{
    return implied_opcodes[opcode / 64] >> opcode % 64 & 1;
}

/* Those of instructions that lead to others, of which it is asked where that is, too. */
static const struct {
    unsigned opcode;
    struct implied_form form;
} branch_forms[] = {
    {0x547, {0xf0000000u, 0x1fff06c0000u, 0, 0}},
    {0x945, {0x3fff00000u, 0x1fffffffcffu, 0, 0x3800000u}},
    {0x947, {0x80000000u, 0x1fff06c0000u, 0, 0}},
};

static uint64_t
bits_unlike(const struct implied_form *form, struct instruction one)
{
    return ((one.low & form->low_mask) ^ form->low) | ((one.high & form->high_mask) ^ form->high);
}

static uint64_t
unlike_branch_bits(struct instruction one)
{
    for (size_t i = 0; i < sizeof branch_forms / sizeof *branch_forms; i++)
        if (branch_forms[i].opcode == opcode_of(&one))
            return bits_unlike(&branch_forms[i].form, one);
    return 0;
}

static uint64_t
unlike_bits(struct instruction one)
{
    unsigned opcode = opcode_of(&one);
    unsigned number = form_number_of(one.low, one.high);

    if (number == NO_FORM)
        return unlike_branch_bits(one) | !may_be_implied(opcode);
    return bits_unlike(&forms[number], one);
}

/* Of an instruction whose opcode has no form. */
static uint64_t
doubt_without_form(const uint8_t *text, size_t at, size_t size)
{
    struct instruction one = read_instruction(text + at);

    return unlike_bits(one) | impossible_bits(one, at, size);
}

/* Not 0 if there is anything wrong with an instruction. Forms have all reserved bits but the last. */
static inline uint64_t
doubtful_bits(uint64_t low, uint64_t high, const uint8_t *text, size_t at, size_t size)
{
    unsigned number = form_number_of(low, high);
    const struct implied_form *form = &forms[number];

    if (number == NO_FORM)
        return doubt_without_form(text, at, size);
    return ((low & form->low_mask) ^ form->low) | ((high & form->high_mask) ^ form->high);
}

/* Which of the instructions it is, if it is one; nearly always none is in doubt. */
static uint32_t
find_among_doubtful(const struct code_map_maker *maker, uint32_t first, uint32_t count,
                    bool *is_doubtful)
{
    *is_doubtful = true;
    for (uint32_t i = 0; i < count; i++) {
        const uint8_t *at = maker->text.at + ((size_t)first + i) * INSTRUCTION_SIZE;
        struct instruction one = read_instruction(at);
        if (unlike_bits(one) | absent_operand_bits(one.low, one.high) |
            is_odd_control(one.low, one.high, maker->has_settings) |
            is_odd_combination(one.low, one.high))
            return i;
    }
    return UINT32_MAX;
}

uint32_t
map_implied_forms(struct code_map_maker *maker, uint32_t first, uint32_t count, bool *is_doubtful)
{
    enum { LAST_BITS = 62 };
    const uint8_t *text = maker->text.at;
    struct code_place *to = code_map_take(maker, first, count);
    size_t at = (size_t)first * INSTRUCTION_SIZE, end = at + (size_t)count * INSTRUCTION_SIZE;
    uint32_t mercury = maker->mercury;
    uint64_t any = 0, used = 0;
    bool is_unknown = false;

    for (; at < end; at += INSTRUCTION_SIZE) {
        uint64_t low = read_u64(text + at), high = read_u64(text + at + sizeof low);
        unsigned width = implied_width(low, high);

        any |= doubtful_bits(low, high, text, at, maker->text.size);
        any |= absent_operand_bits(low, high) | odd_control_bits(low, high);
        any |= is_odd_combination(low, high);
        used |= high;
        is_unknown |= !width;
        *to++ = (struct code_place){.mercury = mercury, .sass = (uint32_t)at};
        mercury += width;
    }
    maker->mercury = mercury;
    maker->is_unknown |= is_unknown;
    return any | used >> LAST_BITS ? find_among_doubtful(maker, first, count, is_doubtful)
                                   : UINT32_MAX;
}
