#include "mercury/implied_forms.h"

#include "mercury/capsule_text.h"

/* Bits of an instruction that are always the same: nvlink writes them so, whatever an input has there,
   and so do compilers. */
struct implied_form {
    uint16_t opcode; /* 0: the slot is empty */
    uint64_t low_mask, high_mask, low, high;
};

/* Every opcode has a slot for itself: a compiler that warns of overridden initializers says if not. */
enum { FORM_SLOTS = 512 };
#define FORM_SLOT(opcode) ((uint32_t)(opcode)*12220159u >> 20 & (FORM_SLOTS - 1))
#define FORM(opcode, ...) [FORM_SLOT(opcode)] = {opcode, __VA_ARGS__}

/* clang-format off */
static const struct implied_form forms[FORM_SLOTS] = {
    FORM(0x000, 0, 0, 1, 0), /* is what empty slots have: no instruction is like it */
    FORM(0x202, 0xffffff00ff000000u, 0x1ffffffffffu, 0, 0xf00u),
    FORM(0x207, 0xffffff0000000000u, 0x1fff87fffffu, 0, 0),
    FORM(0x208, 0x3fffff0000000000u, 0x1fff87efcffu, 0, 0),
    FORM(0x209, 0x3fffff0000000000u, 0x1fffbf8fcffu, 0, 0x3800000u),
    FORM(0x20a, 0x3fffff0000000000u, 0x1fffffe0cffu, 0, 0x3800000u),
    FORM(0x20b, 0x3fffff0000ff0000u, 0x1fff80000ffu, 0, 0),
    FORM(0x20c, 0xffffff0000ff0000u, 0x1fff800800fu, 0, 0),
    FORM(0x20f, 0xffffff0000000000u, 0x1ffffffec00u, 0, 0x7800000u),
    FORM(0x210, 0x7fffff0000000000u, 0x1fff8001200u, 0, 0),
    FORM(0x211, 0x7fffff0000000000u, 0x1fff8700000u, 0, 0),
    FORM(0x212, 0xffffff0000000000u, 0x1fffff00000u, 0, 0x7800000u),
    FORM(0x213, 0xffffff00ff000000u, 0x1ffffffffffu, 0, 0),
    FORM(0x219, 0xffffff0000000000u, 0x1fffffee100u, 0, 0),
    FORM(0x21a, 0xffffff0000000000u, 0x1fffffff5ffu, 0, 0),
    FORM(0x220, 0x3fffff0000000000u, 0x1ffff8e0cffu, 0, 0),
    FORM(0x221, 0x3fffff0000000000u, 0x1fffffe1cffu, 0, 0),
    FORM(0x223, 0x3fffff0000000000u, 0x1fffffe0000u, 0, 0),
    FORM(0x224, 0xffffff0000000000u, 0x1fff87ff100u, 0, 0xe0000u),
    FORM(0x225, 0xffffff0000000000u, 0x1fffff1f500u, 0, 0x7800000u),
    FORM(0x226, 0xffffff0000000000u, 0x1fffffff100u, 0, 0),
    FORM(0x227, 0xffffff0000000000u, 0x1fffff1f500u, 0, 0x7800000u),
    FORM(0x228, 0x3fffff0000000000u, 0x1ffffff3cffu, 0, 0),
    FORM(0x229, 0xffffffff00000000u, 0x1ffffff3000u, 0, 0),
    FORM(0x22b, 0x3fffff0000000000u, 0x1ffffff3000u, 0, 0),
    FORM(0x230, 0xfffff00ff000000u, 0x1fffffedfffu, 0xff000000u, 0x4100u),
    FORM(0x231, 0xfffff0000000000u, 0x1ffff804000u, 0, 0),
    FORM(0x232, 0xfffff0000000000u, 0x1ffffde80ffu, 0, 0),
    FORM(0x23a, 0xffffffff00000000u, 0x1ffffff07ffu, 0, 0),
    FORM(0x23e, 0xffffff0000000000u, 0x1ffff1c47ffu, 0, 0xffu),
    FORM(0x245, 0xffffff00ff000000u, 0x1ffffcf3bffu, 0, 0x1000u),
    FORM(0x246, 0x7fffff0000000000u, 0x1fffbffec00u, 0, 0x3800000u),
    FORM(0x248, 0xffffff0000000000u, 0x1fff87fe8ffu, 0, 0x7e0000u),
    FORM(0x276, 0x3fffff0000000000u, 0x1fffffcf000u, 0, 0x7800000u),
    FORM(0x28c, 0xffffff0000ff0000u, 0x1fffff18dffu, 0, 0xbf00070u),
    FORM(0x2a4, 0xffffff0000000000u, 0x1fffffff500u, 0, 0xf8e0000u),
    FORM(0x2a5, 0xffffff0000000000u, 0x1fffff1f500u, 0, 0xf800000u),
    FORM(0x2ca, 0xffffffff00000000u, 0x1fffff1ffffu, 0, 0),
    FORM(0x300, 0x7fffff00ff000000u, 0x1fffff1f9ffu, 0, 0),
    FORM(0x301, 0xffffff00ff000000u, 0x1ffffffffffu, 0, 0),
    FORM(0x302, 0x3fffff0000ff0000u, 0x1fffff1fcffu, 0, 0),
    FORM(0x305, 0x3fffff00ff000000u, 0x1fffffe06ffu, 0, 0x200000u),
    FORM(0x307, 0x3fffff00ff000000u, 0x1fffffe3fffu, 0, 0x201000u),
    FORM(0x308, 0x3fffff00ff000000u, 0x1ffffffc3ffu, 0, 0),
    FORM(0x309, 0x7fffff00ff000000u, 0x1ffffffffffu, 0, 0),
    FORM(0x311, 0x3fffff00ff000000u, 0x1fffffe06ffu, 0, 0x300000u),
    FORM(0x312, 0xffffff00ff000000u, 0x1ffff8f03ffu, 0, 0),
    FORM(0x313, 0x3fffff00ff000000u, 0x1fffffe3fffu, 0, 0x301800u),
    FORM(0x388, 0xff0000u, 0x1fffffff1ffu, 0, 0),
    FORM(0x3a1, 0xffffffff00000000u, 0x1fffffffdffu, 0, 0xe8000u),
    FORM(0x3c4, 0xffffffff00000000u, 0x1fffffe3fffu, 0, 0),
    FORM(0x421, 0, 0x1fffffe1cffu, 0, 0),
    FORM(0x423, 0, 0x1fffffe0000u, 0, 0),
    FORM(0x424, 0, 0x1fff87ff900u, 0, 0xe0000u),
    FORM(0x431, 0, 0x1ffffc64c00u, 0, 0),
    FORM(0x433, 0, 0x1fff87e001du, 0, 0),
    FORM(0x446, 0, 0x1fff87fe400u, 0, 0),
    FORM(0x4a4, 0, 0x1fffffffd00u, 0, 0xf8e0000u),
    FORM(0x589, 0xf3e0000000000000u, 0x1fffff1ffffu, 0, 0),
    FORM(0x802, 0xff000000u, 0x1ffffffffffu, 0, 0xf00u),
    FORM(0x803, 0, 0x1ffffffcfffu, 0, 0),
    FORM(0x804, 0xff0000u, 0x1ffffffcfffu, 0, 0),
    FORM(0x806, 0xffffffffff000000u, 0x1fff871fcffu, 0, 0),
    FORM(0x807, 0, 0x1fff87fffffu, 0, 0),
    FORM(0x808, 0, 0x1fff87efcffu, 0, 0),
    FORM(0x809, 0, 0x1fff878fcffu, 0, 0),
    FORM(0x80b, 0xff0000u, 0x1fff80000ffu, 0, 0),
    FORM(0x80c, 0xff0000u, 0x1fff800800fu, 0, 0),
    FORM(0x810, 0, 0x1fff8001200u, 0, 0),
    FORM(0x811, 0, 0x1fffff000ffu, 0, 0x78000ffu),
    FORM(0x812, 0, 0x1fffff00000u, 0, 0x7800000u),
    FORM(0x816, 0, 0x1fffffff800u, 0, 0),
    FORM(0x819, 0, 0x1fffffee100u, 0, 0),
    FORM(0x81a, 0, 0x1fffffff5ffu, 0, 0),
    FORM(0x820, 0, 0x1ffff8e0cffu, 0, 0),
    FORM(0x823, 0, 0x1fffffe0000u, 0, 0),
    FORM(0x824, 0, 0x1fff87ff100u, 0, 0xe0000u),
    FORM(0x825, 0, 0x1fffff1f500u, 0, 0x7800000u),
    FORM(0x827, 0, 0x1fffff1f500u, 0, 0x7800000u),
    FORM(0x831, 0, 0x1ffffc64c00u, 0, 0),
    FORM(0x836, 0, 0x1ffffffffffu, 0, 0),
    FORM(0x846, 0, 0x1fffbffec00u, 0, 0x3800000u),
    FORM(0x848, 0, 0x1fffbffecffu, 0, 0x3fe0000u),
    FORM(0x882, 0xff000000u, 0x1ffffffffffu, 0, 0),
    FORM(0x887, 0, 0x1fff87fffffu, 0, 0x8000000u),
    FORM(0x88c, 0xff0000u, 0x1fffff08dffu, 0, 0xbf00070u),
    FORM(0x892, 0, 0x1fffff1ffffu, 0, 0xf80c0ffu),
    FORM(0x896, 0, 0x1ffffffff00u, 0, 0x8000000u),
    FORM(0x899, 0, 0x1fffffee100u, 0, 0x8000000u),
    FORM(0x8a4, 0, 0x1fffffff500u, 0, 0xf8e0000u),
    FORM(0x8a5, 0, 0x1fffff1f500u, 0, 0xf800000u),
    FORM(0x902, 0xff0000u, 0x1fffff1fcffu, 0, 0),
    FORM(0x942, 0xfffffffffff00000u, 0x1fff87fffffu, 0, 0x100u),
    FORM(0x981, 0, 0x1ffff8e11c0u, 0, 0xc0e1100u),
    FORM(0x984, 0, 0x1fff7ff31ffu, 0, 0),
    FORM(0x987, 0xff0000u, 0x1ffff8ff100u, 0, 0x8000000u),
    FORM(0x988, 0xff0000u, 0x1ffffff3100u, 0, 0x8000000u),
    FORM(0x989, 0xf01fffff00000000u, 0x1fffff1ff00u, 0, 0),
    FORM(0xc02, 0xffffff00ff000000u, 0x1ffffffffffu, 0, 0x8000f00u),
    FORM(0xc07, 0xffffff0000000000u, 0x1fff87fffffu, 0, 0x8000000u),
    FORM(0xc08, 0x3fffff0000000000u, 0x1fff87efcffu, 0, 0x8000000u),
    FORM(0xc0a, 0x3fffff0000000000u, 0x1fffffe0cffu, 0, 0xb800000u),
    FORM(0xc0c, 0xffffff0000ff0000u, 0x1fff800800fu, 0, 0x8000000u),
    FORM(0xc10, 0x7fffff0000000000u, 0x1fff8001200u, 0, 0x8000000u),
    FORM(0xc11, 0x7fffff0000000000u, 0x1fff8700000u, 0, 0x8000000u),
    FORM(0xc20, 0x3fffff0000000000u, 0x1ffff8e0cffu, 0, 0x8000000u),
    FORM(0xc23, 0x3fffff0000000000u, 0x1fffffe0000u, 0, 0x8000000u),
    FORM(0xc24, 0xffffff0000000000u, 0x1fffffff100u, 0, 0xf8e0000u),
    FORM(0xc25, 0xffffff0000000000u, 0x1fffff1f500u, 0, 0xf800000u),
    FORM(0xc27, 0xffffff0000000000u, 0x1fffff1f500u, 0, 0xf800000u),
    FORM(0xc28, 0x3fffff0000000000u, 0x1ffffff3cffu, 0, 0x8000000u),
    FORM(0xc2b, 0x3fffff0000000000u, 0x1ffffff3000u, 0, 0x8000000u),
    FORM(0xc36, 0x7fffff0000000000u, 0x1ffffffffffu, 0, 0x8000000u),
    FORM(0xc45, 0xffffff00ff000000u, 0x1ffffcf3bffu, 0, 0x8001000u),
    FORM(0xc48, 0xffffff0000000000u, 0x1fff87fe8ffu, 0, 0x87e0000u),
    FORM(0xc82, 0xffffff00ff000000u, 0x1ffffffffffu, 0, 0x8000000u),
    FORM(0xd00, 0x7fffff00ff000000u, 0x1fffff1f9ffu, 0, 0x8000000u),
    FORM(0xd06, 0xffffff00ff000000u, 0x1ffff8f03ffu, 0, 0x8000000u),
    FORM(0xd08, 0x3fffff00ff000000u, 0x1ffffffc3ffu, 0, 0x8000000u),
    FORM(0xd09, 0x7fffff00ff000000u, 0x1ffffffffffu, 0, 0x8000000u),
    FORM(0xd12, 0xffffff00ff000000u, 0x1ffff8f03ffu, 0, 0x8000000u),
    FORM(0xe21, 0x3fffff0000000000u, 0x1fffffe1cffu, 0, 0x8000000u),
    FORM(0xe23, 0x3fffff0000000000u, 0x1fffffe0000u, 0, 0x8000000u),
    FORM(0xe24, 0x7fffff0000000000u, 0x1fff87ff900u, 0, 0x80e0000u),
    FORM(0xe25, 0x7fffff0000000000u, 0x1fffff1fd00u, 0, 0xf800000u),
    FORM(0xe29, 0x3fffff0000000000u, 0x1ffffff3cffu, 0, 0x8000000u),
    FORM(0xe2a, 0x3fffff0000ff0000u, 0x1fffc0100ffu, 0, 0x8000000u),
    FORM(0xe2b, 0x3fffff0000000000u, 0x1ffffff3000u, 0, 0x8000000u),
    FORM(0xf89, 0xf00000ff00000000u, 0x1fffff1ffffu, 0, 0),
};
/* clang-format on */

/* A bit for each opcode that mercury may have no record of. Of others nvlink makes something else. */
/* clang-format off */
static const uint64_t implied_opcodes[64] = {
    0, 0, 0, 0,
    0, 0, 0, 0,
    0x455f0ffb866f9f84u, 0x40000000000169u, 0xa000003002471080u, 0x400u,
    0xf03f7u, 0x98u, 0x40200000102u, 0x10u,
    0x1b001a02401000u, 0x40u, 0x1000000000u, 0,
    0x40140u, 0x80u, 0x200u, 0,
    0x1000u, 0, 0, 0,
    0x40140u, 0x80u, 0, 0,
    0x84600b916479bdcu, 0x141u, 0x30024710ccu, 0,
    0x1040154u, 0x310162f6u, 0x80000000039au, 0,
    0x1000u, 0, 0, 0,
    0x40140u, 0x80u, 0, 0,
    0x404609f9024f9f84u, 0x40000000000160u, 0x4u, 0,
    0x50361u, 0x80u, 0, 0,
    0x100eba02001000u, 0x40u, 0, 0,
    0x40140u, 0x80u, 0x200u, 0,
};
/* clang-format on */

static bool
may_be_implied(unsigned opcode)
{
    return implied_opcodes[opcode / 64] >> opcode % 64 & 1;
}

static uint64_t
unlike_bits(struct instruction one)
{
    unsigned opcode = opcode_of(&one);
    const struct implied_form *form = &forms[FORM_SLOT(opcode)];

    if (form->opcode != opcode)
        return !may_be_implied(opcode);
    return ((one.low & form->low_mask) ^ form->low) | ((one.high & form->high_mask) ^ form->high);
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
    unsigned opcode = low & 0xfff;
    const struct implied_form *form = &forms[FORM_SLOT(opcode)];

    if (form->opcode != opcode)
        return doubt_without_form(text, at, size);
    return ((low & form->low_mask) ^ form->low) | ((high & form->high_mask) ^ form->high);
}

/* Which of the instructions it is, if it is one; nearly always none is in doubt. */
static uint32_t
find_among_doubtful(struct bytes text, uint32_t first, uint32_t count, bool *is_doubtful)
{
    *is_doubtful = true;
    for (uint32_t i = 0; i < count; i++)
        if (unlike_bits(read_instruction(text.at + ((size_t)first + i) * INSTRUCTION_SIZE)))
            return i;
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
        used |= high;
        is_unknown |= !width;
        *to++ = (struct code_place){.mercury = mercury, .sass = (uint32_t)at};
        mercury += width;
    }
    maker->mercury = mercury;
    maker->is_unknown |= is_unknown;
    return any | used >> LAST_BITS ? find_among_doubtful(maker->text, first, count, is_doubtful)
                                   : UINT32_MAX;
}
