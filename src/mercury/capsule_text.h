/*
 * capsule_text.h: does a text have the instructions that its capsule has records of?
 *
 * A record says what its instruction is; nvlink makes SASS from it and does not look at the SASS that
 * is there. So both can be compared, where it is known which bits of a record are which bits of the
 * instruction. Control bits are in SASS alone, and what follows from no record, too: only that
 * reserved bits are not used can be told of them.
 */
#ifndef CULD_MERCURY_CAPSULE_TEXT_H
#define CULD_MERCURY_CAPSULE_TEXT_H

#include "mercury/capsule.h"
#include "schedule/instruction.h"

/* `text` are the instructions that the entry, which has a record, stands for. Unless all records are known, one that
   is not may be of any instruction. */
bool entry_fits_text(struct bytes capsule, const struct capsule_entry *entry, const uint8_t *text,
                     bool are_all_known);

/* What follows the code: a branch to itself, and nothing up to where the next code may begin. */
bool is_end_of_text(const uint8_t *text, uint32_t count);

/* In between stand NOPs, which have no operands, and more rarely waits and parts of fences. */
bool is_filling(const uint8_t *text, uint32_t count);

/* ... and in code that is scheduled by settings sums of nothing, and the first of several instructions. */
bool is_filling_by_settings(const uint8_t *text, uint32_t count);

/* The first three bytes of a record, which say what it does, the first one highest. */
static inline uint32_t
record_key(const uint8_t *record)
{
    return (uint32_t)record[0] << 16 | (uint32_t)record[1] << 8 | record[2];
}

/* Is the guard of the instruction, which begins with these bits, that of its record of 16 bytes or more? It is at the same
   place in all of them: its predicate in 5 bits, of which none is all that are set, and whether it is negated. */
static inline bool
record_guard_fits(const uint8_t *record, unsigned first_word)
{
    enum { GUARD_AT = 4, NEGATED = 8, NONE = 7, ALL_BITS = 0x1f };
    unsigned guard = first_word >> 12;
    unsigned predicate = (guard & NONE) == NONE ? ALL_BITS : guard & NONE;

    return record[GUARD_AT] >> 3 == predicate && !(record[GUARD_AT] & 1) == !(guard & NEGATED);
}

/* Does an instruction, at that place of a text of `size` bytes, name another one that is not there? */
bool leads_nowhere(struct instruction one, size_t at, size_t size);

/* Bits 92 to 104 and the last two of every instruction. */
#define RESERVED_BITS 0xc00001fff0000000u

/* Not 0 of an instruction that cannot be. */
static inline uint64_t
impossible_bits(struct instruction one, size_t at, size_t size)
{
    /* Bits 9 to 11 say what the operands are: registers, constants, immediate values. None is 0. */
    enum { OPERAND_BITS = 0xe00 };
    /* Instructions that name another one by its distance have 0x14n or 0x15n in the low nine bits. */
    bool may_have_target = (one.low & 0x1e0) == 0x140;
    uint64_t borrow = (one.low & OPERAND_BITS) - 1; /* its last bit is set if there are none */

    return (one.high & RESERVED_BITS) | borrow >> 63 |
           (may_have_target && leads_nowhere(one, at, size));
}

/* The first instruction, up to `end`, with a bit that none of its kind has, or that leads to no other;
   SIZE_MAX: there is none. */
size_t find_damaged_instruction(struct bytes text, size_t end);

#endif
