/*
 * instruction_width.h: how long the mercury instruction is that a SASS instruction implies.
 *
 * A capsule leaves out what its SASS implies, so the places that mercury counts are known only to
 * those who know the length of every instruction. It depends on the operation and on the operands
 * that it really has. Found out from line tables, which have both views of each place.
 */
#ifndef CULD_MERCURY_INSTRUCTION_WIDTH_H
#define CULD_MERCURY_INSTRUCTION_WIDTH_H

#include <stdint.h>

/*
 * What makes an instruction a long one: bits of its upper half, those of WIDTH_UNUSED being set where
 * there is nothing. Which of them count is said by opcode; 0: it is not known.
 */
enum width_rule {
    WIDTH_UNUSED = 0x3f000ff,
    WIDTH_BY_TABLE = 1 << 27,     /* a table of logic that asks for a third source is one, too */
    WIDTH_BY_TARGET = 1 << 28,    /* alone: short for barriers that threads come back to */
    WIDTH_ALWAYS_SHORT = 1 << 29, /* alone, or with bits; below are the two rules that have none */
};
#define WIDTH_ALWAYS_LONG (1u << 31)
extern const uint32_t width_rules[4096];

/* Bytes; 0: the operation is not known. In a header since it is asked of every instruction. */
static inline unsigned
implied_width(uint64_t low, uint64_t high)
{
    enum { SHORT = 16, LONG = 2 * SHORT, BARRIER_BITS = 3 << 8, TABLE_AT_0 = 0x55 << 8 };
    uint32_t rule = width_rules[low & 0xfff];

    if (rule < WIDTH_ALWAYS_SHORT)
        return !rule ? 0 : high & BARRIER_BITS ? SHORT : LONG;
    uint32_t is_long = (((uint32_t)high ^ WIDTH_UNUSED) | WIDTH_ALWAYS_LONG) & rule &
                       ~(uint32_t)(WIDTH_ALWAYS_SHORT | WIDTH_BY_TABLE);
    if (rule & WIDTH_BY_TABLE)
        is_long |= (uint32_t)(high ^ high >> 1) & TABLE_AT_0;
    /* Is it not 0? Asked without a branch, which nobody could predict. */
    return (unsigned)SHORT << ((is_long | (0u - is_long)) >> 31);
}

#endif
