#include "mercury/instruction_width.h"

#define HAS_THIRD 0xffu       /* a third source */
#define IS_EXTENDED (1u << 8) /* with another comparison */
#define HAS_CARRY (1u << 10)
#define IS_HIGH (1u << 16) /* it is for the upper half */
#define IS_COMBINED                                                                                \
    (0x7fu << 20) /* with a predicate or the opposite of one, or it has two results */

/* Which of them count for an operation. */
#define ALWAYS_SHORT WIDTH_ALWAYS_SHORT
#define ALWAYS_LONG WIDTH_ALWAYS_LONG
#define BY_CONSTANT (1u << 30)
#define BY_THIRD (BY_CONSTANT | HAS_THIRD)
#define BY_LOGIC (BY_THIRD | WIDTH_BY_TABLE)
#define BY_SUM (BY_THIRD | HAS_CARRY)
#define BY_CARRY (BY_CONSTANT | HAS_CARRY)
#define BY_HIGH (BY_CARRY | IS_HIGH)
#define BY_COMBINED (BY_CONSTANT | IS_COMBINED)
#define BY_EXTENDED (BY_COMBINED | IS_EXTENDED)
#define BY_TARGET WIDTH_BY_TARGET

/* Operands of two kinds have a constant: three bits of the opcode say of which kind they are. */
#define HAS_CONSTANT(kind) ((kind) == 2 || (kind) == 4)
#define OF_KIND(rule, kind)                                                                        \
    ((rule)&BY_CONSTANT                                                                            \
         ? (HAS_CONSTANT(kind) ? ALWAYS_LONG : ((rule) ^ BY_CONSTANT) | ALWAYS_SHORT)              \
         : (rule))
#define RULE(operation, rule)                                                                      \
    [operation] = OF_KIND(rule, 0), [0x200 + operation] = OF_KIND(rule, 1),                        \
    [0x400 + operation] = OF_KIND(rule, 2), [0x600 + operation] = OF_KIND(rule, 3),                \
    [0x800 + operation] = OF_KIND(rule, 4), [0xa00 + operation] = OF_KIND(rule, 5),                \
    [0xc00 + operation] = OF_KIND(rule, 6), [0xe00 + operation] = OF_KIND(rule, 7)

const uint32_t width_rules[4096] = {
    RULE(0x002, ALWAYS_SHORT), RULE(0x003, BY_CONSTANT),  RULE(0x004, BY_CONSTANT),
    RULE(0x006, ALWAYS_SHORT), RULE(0x007, BY_CONSTANT),  RULE(0x008, BY_CONSTANT),
    RULE(0x009, BY_CONSTANT),  RULE(0x00a, BY_CONSTANT),  RULE(0x00b, BY_COMBINED),
    RULE(0x00c, BY_EXTENDED),  RULE(0x00f, BY_CONSTANT),  RULE(0x010, BY_SUM),
    RULE(0x011, ALWAYS_LONG),  RULE(0x012, BY_LOGIC),     RULE(0x013, BY_CONSTANT),
    RULE(0x016, BY_CONSTANT),  RULE(0x019, BY_CONSTANT),  RULE(0x01a, BY_CONSTANT),
    RULE(0x01c, ALWAYS_LONG),  RULE(0x020, BY_CONSTANT),  RULE(0x021, BY_CONSTANT),
    RULE(0x023, ALWAYS_LONG),  RULE(0x024, BY_CARRY),     RULE(0x025, ALWAYS_LONG),
    RULE(0x026, BY_CONSTANT),  RULE(0x027, ALWAYS_LONG),  RULE(0x028, BY_CONSTANT),
    RULE(0x029, BY_CONSTANT),  RULE(0x02a, BY_COMBINED),  RULE(0x02b, ALWAYS_LONG),
    RULE(0x030, BY_CONSTANT),  RULE(0x031, ALWAYS_LONG),  RULE(0x032, BY_CONSTANT),
    RULE(0x033, ALWAYS_LONG),  RULE(0x034, ALWAYS_LONG),  RULE(0x036, BY_CONSTANT),
    RULE(0x03a, BY_CONSTANT),  RULE(0x03b, ALWAYS_LONG),  RULE(0x03e, BY_CONSTANT),
    RULE(0x040, BY_CONSTANT),  RULE(0x045, BY_CONSTANT),  RULE(0x046, BY_CONSTANT),
    RULE(0x048, BY_CONSTANT),  RULE(0x076, ALWAYS_LONG),  RULE(0x082, ALWAYS_SHORT),
    RULE(0x083, ALWAYS_LONG),  RULE(0x086, ALWAYS_SHORT), RULE(0x087, BY_CONSTANT),
    RULE(0x08c, BY_EXTENDED),  RULE(0x090, BY_SUM),       RULE(0x091, BY_HIGH),
    RULE(0x092, BY_LOGIC),     RULE(0x096, BY_CONSTANT),  RULE(0x099, BY_CONSTANT),
    RULE(0x0a4, BY_CARRY),     RULE(0x0a5, ALWAYS_LONG),  RULE(0x0bd, BY_CONSTANT),
    RULE(0x0bf, BY_CONSTANT),  RULE(0x0ca, BY_CONSTANT),  RULE(0x100, BY_CONSTANT),
    RULE(0x101, BY_CONSTANT),  RULE(0x102, BY_CONSTANT),  RULE(0x104, BY_CONSTANT),
    RULE(0x105, BY_CONSTANT),  RULE(0x106, ALWAYS_SHORT), RULE(0x107, BY_CONSTANT),
    RULE(0x108, ALWAYS_SHORT), RULE(0x109, BY_CONSTANT),  RULE(0x110, BY_CONSTANT),
    RULE(0x111, BY_CONSTANT),  RULE(0x112, BY_CONSTANT),  RULE(0x113, BY_CONSTANT),
    RULE(0x118, ALWAYS_SHORT), RULE(0x141, ALWAYS_SHORT), RULE(0x142, ALWAYS_SHORT),
    RULE(0x143, ALWAYS_LONG),  RULE(0x144, ALWAYS_LONG),  RULE(0x145, BY_TARGET),
    RULE(0x146, ALWAYS_SHORT), RULE(0x147, ALWAYS_LONG),  RULE(0x149, ALWAYS_LONG),
    RULE(0x14d, ALWAYS_SHORT), RULE(0x14e, ALWAYS_LONG),  RULE(0x150, ALWAYS_LONG),
    RULE(0x158, ALWAYS_LONG),  RULE(0x15c, ALWAYS_SHORT), RULE(0x15d, ALWAYS_SHORT),
    RULE(0x181, ALWAYS_LONG),  RULE(0x183, ALWAYS_LONG),  RULE(0x184, ALWAYS_LONG),
    RULE(0x187, ALWAYS_LONG),  RULE(0x188, ALWAYS_LONG),  RULE(0x189, ALWAYS_LONG),
    RULE(0x1a1, ALWAYS_SHORT), RULE(0x1aa, ALWAYS_LONG),  RULE(0x1af, ALWAYS_SHORT),
    RULE(0x1c4, ALWAYS_SHORT),
};
