#include "mercury/instruction_width.h"

enum { SHORT = 16, LONG = 32 };

/*
 * What makes an instruction a long one: bits of its upper half, those of UNUSED being set where there is
 * nothing, and two that stand for other things.
 */
#define HAS_THIRD 0xffu       /* a third source */
#define IS_EXTENDED (1u << 8) /* with another comparison */
#define HAS_CARRY (1u << 10)
#define IS_HIGH (1u << 16)        /* it is for the upper half */
#define IS_COMBINED (0x3fu << 20) /* with a predicate, or it has two results */
#define UNUSED (HAS_THIRD | IS_COMBINED)
#define HAS_CONSTANT (1u << 30) /* a constant of the instruction is among its operands */
#define ALWAYS (1u << 31)

/* Which of them count for an operation. */
#define UNKNOWN 0u
#define ALWAYS_SHORT (1u << 29) /* none: a bit that no instruction has */
#define ALWAYS_LONG ALWAYS
#define BY_CONSTANT HAS_CONSTANT
#define BY_THIRD (BY_CONSTANT | HAS_THIRD)
#define BY_SUM (BY_THIRD | HAS_CARRY)
#define BY_CARRY (BY_CONSTANT | HAS_CARRY)
#define BY_HIGH (BY_CARRY | IS_HIGH)
#define BY_COMBINED (BY_CONSTANT | IS_COMBINED)
#define BY_EXTENDED (BY_COMBINED | IS_EXTENDED)
#define BY_TARGET (1u << 28) /* short for barriers that threads come back to */

/* Nine bits of the opcode are the operation; the three above them say what kind the operands are. */
static const uint32_t rules[512] = {
    [0x002] = ALWAYS_SHORT, [0x003] = BY_CONSTANT,  [0x004] = BY_CONSTANT,  [0x006] = ALWAYS_SHORT,
    [0x007] = BY_CONSTANT,  [0x008] = BY_CONSTANT,  [0x009] = BY_CONSTANT,  [0x00a] = BY_CONSTANT,
    [0x00b] = BY_COMBINED,  [0x00c] = BY_EXTENDED,  [0x00f] = BY_CONSTANT,  [0x010] = BY_SUM,
    [0x011] = ALWAYS_LONG,  [0x012] = BY_THIRD,     [0x013] = BY_CONSTANT,  [0x016] = BY_CONSTANT,
    [0x019] = BY_CONSTANT,  [0x01a] = BY_CONSTANT,  [0x01c] = ALWAYS_LONG,  [0x020] = BY_CONSTANT,
    [0x021] = BY_CONSTANT,  [0x023] = ALWAYS_LONG,  [0x024] = BY_CARRY,     [0x025] = ALWAYS_LONG,
    [0x026] = BY_CONSTANT,  [0x027] = ALWAYS_LONG,  [0x028] = BY_CONSTANT,  [0x029] = BY_CONSTANT,
    [0x02a] = BY_COMBINED,  [0x02b] = ALWAYS_LONG,  [0x030] = BY_CONSTANT,  [0x031] = ALWAYS_LONG,
    [0x032] = BY_CONSTANT,  [0x033] = ALWAYS_LONG,  [0x034] = ALWAYS_LONG,  [0x036] = BY_CONSTANT,
    [0x03a] = BY_CONSTANT,  [0x03b] = ALWAYS_LONG,  [0x03e] = BY_CONSTANT,  [0x040] = BY_CONSTANT,
    [0x045] = BY_CONSTANT,  [0x046] = BY_CONSTANT,  [0x048] = BY_CONSTANT,  [0x076] = ALWAYS_LONG,
    [0x082] = ALWAYS_SHORT, [0x083] = ALWAYS_LONG,  [0x086] = ALWAYS_SHORT, [0x087] = BY_CONSTANT,
    [0x08c] = BY_EXTENDED,  [0x090] = BY_SUM,       [0x091] = BY_HIGH,      [0x092] = BY_THIRD,
    [0x096] = BY_CONSTANT,  [0x099] = BY_CONSTANT,  [0x0a4] = BY_CARRY,     [0x0a5] = ALWAYS_LONG,
    [0x0bd] = BY_CONSTANT,  [0x0bf] = BY_CONSTANT,  [0x0ca] = BY_CONSTANT,  [0x100] = BY_CONSTANT,
    [0x101] = BY_CONSTANT,  [0x102] = BY_CONSTANT,  [0x104] = BY_CONSTANT,  [0x105] = BY_CONSTANT,
    [0x106] = BY_CONSTANT,  [0x107] = BY_CONSTANT,  [0x108] = ALWAYS_SHORT, [0x109] = BY_CONSTANT,
    [0x110] = BY_CONSTANT,  [0x111] = BY_CONSTANT,  [0x112] = BY_CONSTANT,  [0x113] = BY_CONSTANT,
    [0x118] = ALWAYS_SHORT, [0x141] = ALWAYS_SHORT, [0x142] = ALWAYS_SHORT, [0x143] = ALWAYS_LONG,
    [0x144] = ALWAYS_LONG,  [0x145] = BY_TARGET,    [0x146] = ALWAYS_SHORT, [0x147] = ALWAYS_LONG,
    [0x149] = ALWAYS_LONG,  [0x14d] = ALWAYS_SHORT, [0x150] = ALWAYS_LONG,  [0x158] = ALWAYS_LONG,
    [0x15c] = ALWAYS_SHORT, [0x15d] = ALWAYS_SHORT, [0x181] = ALWAYS_LONG,  [0x183] = ALWAYS_LONG,
    [0x184] = ALWAYS_LONG,  [0x187] = ALWAYS_LONG,  [0x188] = ALWAYS_LONG,  [0x189] = ALWAYS_LONG,
    [0x1a1] = ALWAYS_SHORT, [0x1aa] = ALWAYS_LONG,  [0x1af] = ALWAYS_SHORT, [0x1c4] = ALWAYS_SHORT,
};

static uint32_t
conditions(uint64_t low, uint64_t high)
{
    enum { ABOVE_FIELDS = 26 };
    static const uint32_t by_kind[8] = {
        ALWAYS, ALWAYS, ALWAYS | HAS_CONSTANT, ALWAYS, ALWAYS | HAS_CONSTANT, ALWAYS,
        ALWAYS, ALWAYS,
    };

    return (((uint32_t)high ^ UNUSED) & ((1u << ABOVE_FIELDS) - 1)) | by_kind[low >> 9 & 7];
}

unsigned
implied_width(uint64_t low, uint64_t high)
{
    enum { BARRIER_BITS = 3 << 8 };
    uint32_t rule = rules[low & 0x1ff];

    if (rule == UNKNOWN)
        return 0;
    if (rule == BY_TARGET)
        return high & BARRIER_BITS ? SHORT : LONG;
    return conditions(low, high) & rule ? LONG : SHORT;
}
