#include "mercury/instruction_width.h"

#include <stdbool.h>

enum { SHORT = 16, LONG = 32 };

enum width_rule {
    UNKNOWN,
    ALWAYS_SHORT,
    ALWAYS_LONG,
    BY_CONSTANT, /* long with a constant of the instruction among its operands */
    BY_THIRD,    /* ... or with a third source */
    BY_SUM,      /* ... or with a third source, or a carry */
    BY_CARRY,    /* ... or with a carry */
    BY_HIGH,     /* ... or with a carry, or for the upper half */
    BY_COMBINED, /* ... or combined with a predicate, or with another comparison, or with two results */
    BY_TARGET, /* short for barriers that threads come back to */
};

/* Nine bits of the opcode are the operation; the three above them say what kind the operands are. */
static const uint8_t rules[512] = {
    [0x002] = ALWAYS_SHORT, [0x003] = BY_CONSTANT,  [0x004] = BY_CONSTANT,  [0x006] = ALWAYS_SHORT,
    [0x007] = BY_CONSTANT,  [0x008] = BY_CONSTANT,  [0x009] = BY_CONSTANT,  [0x00a] = BY_CONSTANT,
    [0x00b] = BY_COMBINED,  [0x00c] = BY_COMBINED,  [0x00f] = BY_CONSTANT,  [0x010] = BY_SUM,
    [0x011] = ALWAYS_LONG,  [0x012] = BY_THIRD,     [0x013] = BY_CONSTANT,  [0x016] = BY_CONSTANT,
    [0x019] = BY_CONSTANT,  [0x01a] = BY_CONSTANT,  [0x01c] = ALWAYS_LONG,  [0x020] = BY_CONSTANT,
    [0x021] = BY_CONSTANT,  [0x023] = ALWAYS_LONG,  [0x024] = BY_CARRY,     [0x025] = ALWAYS_LONG,
    [0x026] = BY_CONSTANT,  [0x027] = ALWAYS_LONG,  [0x028] = BY_CONSTANT,  [0x029] = BY_CONSTANT,
    [0x02a] = BY_COMBINED,  [0x02b] = ALWAYS_LONG,  [0x030] = BY_CONSTANT,  [0x031] = ALWAYS_LONG,
    [0x032] = BY_CONSTANT,  [0x033] = ALWAYS_LONG,  [0x034] = ALWAYS_LONG,  [0x036] = BY_CONSTANT,
    [0x03a] = BY_CONSTANT,  [0x03b] = ALWAYS_LONG,  [0x03e] = BY_CONSTANT,  [0x040] = BY_CONSTANT,
    [0x045] = BY_CONSTANT,  [0x046] = BY_CONSTANT,  [0x048] = BY_CONSTANT,  [0x076] = ALWAYS_LONG,
    [0x082] = ALWAYS_SHORT, [0x083] = ALWAYS_LONG,  [0x086] = ALWAYS_SHORT, [0x087] = BY_CONSTANT,
    [0x08c] = BY_COMBINED,  [0x090] = BY_SUM,       [0x091] = BY_HIGH,      [0x092] = BY_THIRD,
    [0x096] = BY_CONSTANT,  [0x099] = BY_CONSTANT,  [0x0a4] = BY_CARRY,     [0x0a5] = ALWAYS_LONG,
    [0x0bd] = BY_CONSTANT,  [0x0bf] = BY_CONSTANT,  [0x0ca] = BY_CONSTANT,  [0x100] = BY_CONSTANT,
    [0x101] = BY_CONSTANT,  [0x102] = BY_CONSTANT,  [0x104] = BY_CONSTANT,  [0x105] = BY_CONSTANT,
    [0x106] = BY_CONSTANT,  [0x107] = BY_CONSTANT,  [0x108] = ALWAYS_SHORT, [0x109] = BY_CONSTANT,
    [0x110] = BY_CONSTANT,  [0x111] = BY_CONSTANT,  [0x112] = BY_CONSTANT,  [0x113] = BY_CONSTANT,
    [0x118] = ALWAYS_SHORT, [0x141] = ALWAYS_SHORT, [0x142] = ALWAYS_SHORT, [0x143] = ALWAYS_LONG,
    [0x144] = ALWAYS_LONG,  [0x145] = BY_TARGET,    [0x146] = ALWAYS_SHORT, [0x147] = ALWAYS_LONG,
    [0x149] = ALWAYS_LONG,  [0x14d] = ALWAYS_SHORT, [0x15c] = ALWAYS_SHORT, [0x15d] = ALWAYS_SHORT,
    [0x181] = ALWAYS_LONG,  [0x183] = ALWAYS_LONG,  [0x184] = ALWAYS_LONG,  [0x187] = ALWAYS_LONG,
    [0x188] = ALWAYS_LONG,  [0x189] = ALWAYS_LONG,  [0x1a1] = ALWAYS_SHORT, [0x1aa] = ALWAYS_LONG,
    [0x1af] = ALWAYS_SHORT, [0x1c4] = ALWAYS_SHORT,
};

/* Fields of the upper half of an instruction. */
static unsigned
field(uint64_t high, unsigned from, unsigned bits)
{
    return (unsigned)(high >> from) & ((1u << bits) - 1);
}

static bool
has_constant(uint64_t low)
{
    unsigned kind = (unsigned)(low >> 9) & 7;
    return kind == 2 || kind == 4;
}

static bool
has_third(uint64_t high)
{
    enum { NO_REGISTER = 0xff };
    return field(high, 0, 8) != NO_REGISTER;
}

static bool
has_carry(uint64_t high)
{
    return field(high, 10, 1);
}

static bool
is_combined(uint64_t low, uint64_t high)
{
    enum { NO_PREDICATE = 7, INTEGERS = 0xc };
    bool is_extended = (low & 0x7f) == INTEGERS && field(high, 8, 1);
    return is_extended || field(high, 23, 3) != NO_PREDICATE || field(high, 20, 3) != NO_PREDICATE;
}

unsigned
implied_width(uint64_t low, uint64_t high)
{
    bool is_long = has_constant(low);

    switch ((enum width_rule)rules[low & 0x1ff]) {
    case UNKNOWN:
        return 0;
    case ALWAYS_SHORT:
        return SHORT;
    case ALWAYS_LONG:
        return LONG;
    case BY_CONSTANT:
        break;
    case BY_THIRD:
        is_long |= has_third(high);
        break;
    case BY_SUM:
        is_long |= has_third(high) || has_carry(high);
        break;
    case BY_CARRY:
        is_long |= has_carry(high);
        break;
    case BY_HIGH:
        is_long |= has_carry(high) || field(high, 16, 1);
        break;
    case BY_COMBINED:
        is_long |= is_combined(low, high);
        break;
    case BY_TARGET:
        is_long = field(high, 8, 2) == 0;
        break;
    }
    return is_long ? LONG : SHORT;
}
