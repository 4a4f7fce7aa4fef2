/*
 * control_bits.h: what compilers write into the control bits of an instruction.
 *
 * nvlink makes a schedule of its own and overwrites them. Which of them an opcode can have was found in
 * millions of instructions of 8,000 files: those of known times have no scoreboards and stall for two to
 * fifteen cycles, or yield and stall for one or two; stores have no scoreboard for results; and operands that
 * are no registers are not kept for the next instruction.
 */
#ifndef CULD_MERCURY_CONTROL_BITS_H
#define CULD_MERCURY_CONTROL_BITS_H

#include <stdbool.h>
#include <stdint.h>

enum control_kind {
    CONTROL_ANY,
    CONTROL_FIXED,   /* no scoreboards, short stalls */
    CONTROL_ALONE,   /* no scoreboards */
    CONTROL_TURN,    /* no scoreboards, stalls of at least five cycles */
    CONTROL_MEETING, /* no scoreboards, long stalls */
    CONTROL_LOAD,    /* long stalls */
    CONTROL_STORE,   /* no results, long stalls */
    CONTROL_KINDS
};

enum { OPCODES = 4096, CONTROL_WORDS = 32, CONTROL_KIND_BITS = 4 };

/* A bit for each value of the eleven bits below the waits. */
extern const uint64_t control_kinds[CONTROL_KINDS][CONTROL_WORDS];
/* By opcode: the kind, and above it operands that are never kept. */
extern const uint8_t control_rules[OPCODES];

/* Not 0 if no compiler writes them so. */
static inline uint64_t
odd_control_bits(uint64_t low, uint64_t high)
{
    enum { FIRST = 41, KEPT_AT = 17, NEVER_KEPT = 8 };
    uint64_t control = high >> FIRST;
    unsigned rule = control_rules[low % OPCODES];
    unsigned kind = rule % (1u << CONTROL_KIND_BITS), not_kept = rule >> CONTROL_KIND_BITS;
    uint64_t known = control_kinds[kind][control >> 6 & (CONTROL_WORDS - 1)] >> (control & 63);

    return (~known & 1) | (control >> KEPT_AT & (not_kept | NEVER_KEPT));
}

/* The same, asked of few: where a function has settings of its own, anything may yield, or not. */
static inline bool
is_odd_control(uint64_t low, uint64_t high, bool has_settings)
{
    const uint64_t yield = (uint64_t)1 << 45;

    return odd_control_bits(low, high) && !(has_settings && !odd_control_bits(low, high ^ yield));
}

#endif
