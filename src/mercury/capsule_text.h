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

/* In between stand NOPs, which have no operands, and more rarely waits. */
bool is_filling(const uint8_t *text, uint32_t count);

/* The first three bytes of a record, which say what it does, the first one highest. */
static inline uint32_t
record_key(const uint8_t *record)
{
    return (uint32_t)record[0] << 16 | (uint32_t)record[1] << 8 | record[2];
}

/* Is the guard of the instruction, which begins with these bits, that of its record of 16 bytes or more? */
bool record_guard_fits(const uint8_t *record, unsigned first_word);

/* Not 0 of an instruction, at that place of a text of `size` bytes, that cannot be. */
uint64_t impossible_bits(struct instruction one, size_t at, size_t size);

/* The first instruction, up to `end`, with a bit that none of its kind has, or that leads to no other;
   SIZE_MAX: there is none. */
size_t find_damaged_instruction(struct bytes text, size_t end);

#endif
