#include "mercury/kept_operands.h"

#include "schedule/opcodes.h"

enum { SLOTS = 3, KEPT_AT = 58, NOBODY = 255, BANKS = 4 };

struct kept_register {
    unsigned first, count; /* 0: the slot has none */
};

static struct kept_register
named(unsigned code, unsigned number)
{
    bool is_read = code >= R1 && code <= RY && number != NOBODY;

    return (struct kept_register){number, !is_read ? 0 : code == R1 ? 1 : 2};
}

/* Sums of floats have their second operand where products have what is added. */
static bool
is_sum(unsigned opcode)
{
    enum { FADD = 0x221, FADD2 = 0x24b, HADD2 = 0x230, DSETP = 0x22a };

    return opcode == FADD || opcode == FADD2 || opcode == HADD2 || opcode == DSETP;
}

/* Where the third operand is a number or a uniform register, the second one has its field. */
static bool
has_second_last(unsigned opcode)
{
    return opcode >> 8 == 0x4 || opcode >> 8 == 0xe;
}

static struct kept_register
register_in_slot(struct instruction one, unsigned slot)
{
    const struct opcode_fields *fields = &opcode_table[opcode_of(&one)];
    unsigned opcode = opcode_of(&one);
    struct kept_register second = named(fields->at32, field(one.low, 32, 8));
    struct kept_register third = named(fields->at64, field(one.high, 0, 8)), none = {0};

    if (slot == 0)
        return named(fields->at24, field(one.low, 24, 8));
    if (is_sum(opcode))
        return slot == 1 ? none : second;
    if (has_second_last(opcode))
        return slot == 1 ? third : none;
    return slot == 1 ? second : third;
}

/* What arithmetic does with the places of operands that are kept: nothing is known of some, others have places of
   their own (doubles, halves, matrices, uniform registers). */
enum place_use { UNKNOWN, TAKES_PLACES, TAKES_OTHERS };

/* clang-format off */
static const uint8_t place_uses[4096] = {
    [0x202] = TAKES_PLACES, [0x207] = TAKES_PLACES, [0x208] = TAKES_PLACES, [0x209] = TAKES_PLACES,
    [0x20a] = TAKES_PLACES, [0x20b] = TAKES_PLACES, [0x20c] = TAKES_PLACES, [0x20f] = TAKES_PLACES,
    [0x210] = TAKES_PLACES, [0x211] = TAKES_PLACES, [0x212] = TAKES_PLACES, [0x213] = TAKES_PLACES,
    [0x216] = TAKES_PLACES, [0x219] = TAKES_PLACES, [0x21a] = TAKES_PLACES, [0x21b] = TAKES_PLACES,
    [0x220] = TAKES_PLACES, [0x221] = TAKES_PLACES, [0x223] = TAKES_PLACES, [0x224] = TAKES_PLACES,
    [0x225] = TAKES_PLACES, [0x227] = TAKES_PLACES, [0x235] = TAKES_PLACES, [0x236] = TAKES_PLACES,
    [0x245] = TAKES_PLACES, [0x246] = TAKES_PLACES, [0x248] = TAKES_PLACES, [0x2ca] = TAKES_PLACES,
    [0x416] = TAKES_PLACES, [0x419] = TAKES_PLACES, [0x421] = TAKES_PLACES, [0x423] = TAKES_PLACES,
    [0x424] = TAKES_PLACES, [0x425] = TAKES_PLACES, [0x446] = TAKES_PLACES, [0x802] = TAKES_PLACES,
    [0x807] = TAKES_PLACES, [0x808] = TAKES_PLACES, [0x809] = TAKES_PLACES, [0x80a] = TAKES_PLACES,
    [0x80b] = TAKES_PLACES, [0x80c] = TAKES_PLACES, [0x80f] = TAKES_PLACES, [0x810] = TAKES_PLACES,
    [0x811] = TAKES_PLACES, [0x812] = TAKES_PLACES, [0x813] = TAKES_PLACES, [0x816] = TAKES_PLACES,
    [0x819] = TAKES_PLACES, [0x81a] = TAKES_PLACES, [0x81b] = TAKES_PLACES, [0x820] = TAKES_PLACES,
    [0x823] = TAKES_PLACES, [0x824] = TAKES_PLACES, [0x825] = TAKES_PLACES, [0x827] = TAKES_PLACES,
    [0x835] = TAKES_PLACES, [0x836] = TAKES_PLACES, [0x845] = TAKES_PLACES, [0x846] = TAKES_PLACES,
    [0x848] = TAKES_PLACES, [0xc02] = TAKES_PLACES, [0xc07] = TAKES_PLACES, [0xc08] = TAKES_PLACES,
    [0xc09] = TAKES_PLACES, [0xc0a] = TAKES_PLACES, [0xc0b] = TAKES_PLACES, [0xc0c] = TAKES_PLACES,
    [0xc0f] = TAKES_PLACES, [0xc10] = TAKES_PLACES, [0xc11] = TAKES_PLACES, [0xc12] = TAKES_PLACES,
    [0xc13] = TAKES_PLACES, [0xc16] = TAKES_PLACES, [0xc19] = TAKES_PLACES, [0xc1a] = TAKES_PLACES,
    [0xc1b] = TAKES_PLACES, [0xc20] = TAKES_PLACES, [0xc23] = TAKES_PLACES, [0xc24] = TAKES_PLACES,
    [0xc25] = TAKES_PLACES, [0xc27] = TAKES_PLACES, [0xc35] = TAKES_PLACES, [0xc36] = TAKES_PLACES,
    [0xc45] = TAKES_PLACES, [0xc46] = TAKES_PLACES, [0xc48] = TAKES_PLACES, [0xe16] = TAKES_PLACES,
    [0xe19] = TAKES_PLACES, [0xe21] = TAKES_PLACES, [0xe23] = TAKES_PLACES, [0xe24] = TAKES_PLACES,
    [0xe25] = TAKES_PLACES, [0xe46] = TAKES_PLACES,
    [0x228] = TAKES_OTHERS, [0x229] = TAKES_OTHERS, [0x22a] = TAKES_OTHERS, [0x22b] = TAKES_OTHERS,
    [0x230] = TAKES_OTHERS, [0x231] = TAKES_OTHERS, [0x232] = TAKES_OTHERS, [0x28c] = TAKES_OTHERS,
    [0x290] = TAKES_OTHERS, [0x291] = TAKES_OTHERS, [0x292] = TAKES_OTHERS, [0x296] = TAKES_OTHERS,
    [0x299] = TAKES_OTHERS, [0x29a] = TAKES_OTHERS, [0x29b] = TAKES_OTHERS, [0x2a4] = TAKES_OTHERS,
    [0x2a5] = TAKES_OTHERS, [0x2a6] = TAKES_OTHERS, [0x429] = TAKES_OTHERS, [0x42a] = TAKES_OTHERS,
    [0x42b] = TAKES_OTHERS, [0x430] = TAKES_OTHERS, [0x431] = TAKES_OTHERS, [0x499] = TAKES_OTHERS,
    [0x4a4] = TAKES_OTHERS, [0x805] = TAKES_OTHERS, [0x81c] = TAKES_OTHERS, [0x828] = TAKES_OTHERS,
    [0x82b] = TAKES_OTHERS, [0x830] = TAKES_OTHERS, [0x831] = TAKES_OTHERS, [0x832] = TAKES_OTHERS,
    [0x882] = TAKES_OTHERS, [0x88c] = TAKES_OTHERS, [0x890] = TAKES_OTHERS, [0x891] = TAKES_OTHERS,
    [0x892] = TAKES_OTHERS, [0x896] = TAKES_OTHERS, [0x899] = TAKES_OTHERS, [0x89a] = TAKES_OTHERS,
    [0x89b] = TAKES_OTHERS, [0x8a4] = TAKES_OTHERS, [0x8a5] = TAKES_OTHERS, [0xc28] = TAKES_OTHERS,
    [0xc2b] = TAKES_OTHERS, [0xc30] = TAKES_OTHERS, [0xc31] = TAKES_OTHERS, [0xc32] = TAKES_OTHERS,
    [0xe29] = TAKES_OTHERS, [0xe2a] = TAKES_OTHERS, [0xe2b] = TAKES_OTHERS, [0xe30] = TAKES_OTHERS,
    [0xe31] = TAKES_OTHERS,
};
/* clang-format on */

static bool
takes_places(unsigned opcode)
{
    return place_uses[opcode] == TAKES_PLACES;
}

static bool
overwrites(struct instruction one, struct kept_register kept)
{
    unsigned code = opcode_table[opcode_of(&one)].at16;

    return code >= D1 && code <= DT && field(one.low, 16, 8) == kept.first;
}

/* Of rare arithmetic not all operands may be known. */
static bool
is_rare(unsigned opcode)
{
    enum { IS_NO_ARITHMETIC = 0x100 };

    return place_uses[opcode] == UNKNOWN && !(opcode & IS_NO_ARITHMETIC);
}

/* It may be used long after, with loads and stores between. */
static bool
is_used(struct bytes text, size_t at, unsigned slot)
{
    enum { LOOKED_AT = 128 };
    struct instruction one = read_instruction(text.at + at);
    struct kept_register kept = register_in_slot(one, slot);
    bool may_lose = takes_places(opcode_of(&one));

    if (!kept.count)
        return true;
    for (unsigned k = 0; k < LOOKED_AT; k++) {
        if (is_rare(opcode_of(&one)))
            return true;
        at += INSTRUCTION_SIZE;
        if (at >= text.size || overwrites(one, kept))
            return false;
        one = read_instruction(text.at + at);
        struct kept_register other = register_in_slot(one, slot);
        if (!other.count)
            continue;
        if (other.first < kept.first + kept.count && kept.first < other.first + other.count)
            return true;
        if (may_lose && takes_places(opcode_of(&one)) && other.first % BANKS == kept.first % BANKS)
            return false;
    }
    return true;
}

size_t
find_idle_operand(struct bytes text)
{
    for (size_t at = 0; at < text.size; at += INSTRUCTION_SIZE) {
        unsigned kept = field(read_u64(text.at + at + sizeof(uint64_t)), KEPT_AT, SLOTS);
        for (unsigned slot = 0; kept >> slot; slot++)
            if (kept >> slot & 1 && !is_used(text, at, slot))
                return at;
    }
    return SIZE_MAX;
}
