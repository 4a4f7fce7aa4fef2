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

/* `text` are the instructions that the entry stands for. The last entry of a capsule stands for what
   follows the code. */
bool entry_fits_text(struct bytes capsule, const struct capsule_entry *entry, const uint8_t *text,
                     bool is_last);

/* Not 0 of an instruction, at that place of a text of `size` bytes, that cannot be. */
uint64_t impossible_bits(struct instruction one, size_t at, size_t size);

/* The first instruction, up to `end`, with a bit that none of its kind has, or that leads to no other;
   SIZE_MAX: there is none. */
size_t find_damaged_instruction(struct bytes text, size_t end);

#endif
