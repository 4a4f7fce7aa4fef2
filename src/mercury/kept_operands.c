#include "mercury/kept_operands.h"

#include "mercury/issue_units.h"
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

/* Doubles, halves and matrices have places of their own. */
static bool
takes_places(unsigned opcode)
{
    static const bool does[UNITS] = {
        [ALU] = true,   [MOVE] = true,     [PAIR_MOVE] = true,  [TO_UNIFORM] = true,
        [FLOAT] = true, [PRODUCT] = true,  [VECTOR_SUM] = true, [WIDE] = true,
        [HIGH] = true,  [LONG_SUM] = true,
    };

    return does[issue_units[opcode]];
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

    return issue_units[opcode] == UNKNOWN && !(opcode & IS_NO_ARITHMETIC);
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
