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
 * there is nothing, and those above them, which stand for other things.
 */
enum width_condition {
    WIDTH_UNUSED = 0x3f000ff,
    WIDTH_FIELDS = (1 << 26) - 1,
    WIDTH_BY_TARGET = 1 << 28,    /* alone: short for barriers that threads come back to */
    WIDTH_ALWAYS_SHORT = 1 << 29, /* alone; below are the two rules that are no conditions */
    WIDTH_HAS_CONSTANT = 1 << 30  /* a constant of the instruction is among its operands */
};
#define WIDTH_ALWAYS (1u << 31)

/* Which of them count, by operation: nine bits of the opcode. The three above them say what kind the
   operands are. 0: it is not known. */
extern const uint32_t width_rules[512];

/* Bytes; 0: the operation is not known. In a header since it is asked of every instruction. */
static inline unsigned
implied_width(uint64_t low, uint64_t high)
{
    enum { SHORT = 16, LONG = 32, BARRIER_BITS = 3 << 8 };
    static const uint32_t by_kind[8] = {
        WIDTH_ALWAYS,
        WIDTH_ALWAYS,
        WIDTH_ALWAYS | WIDTH_HAS_CONSTANT,
        WIDTH_ALWAYS,
        WIDTH_ALWAYS | WIDTH_HAS_CONSTANT,
        WIDTH_ALWAYS,
        WIDTH_ALWAYS,
        WIDTH_ALWAYS,
    };
    uint32_t rule = width_rules[low & 0x1ff];

    if (rule < WIDTH_ALWAYS_SHORT)
        return !rule ? 0 : high & BARRIER_BITS ? SHORT : LONG;
    uint32_t holds = (((uint32_t)high ^ WIDTH_UNUSED) & WIDTH_FIELDS) | by_kind[low >> 9 & 7];
    return holds & rule ? LONG : SHORT;
}

#endif
