/*
 * allocate.h: new scoreboards for a kernel whose load of R1 nobody uses.
 *
 * The kernel as it came is the best guide: it was numbered by the same rules, with that load. Both
 * numberings are followed through the code side by side. Where the rules explain the old number,
 * they give the new one; where they do not, the new one is what corresponds to the old.
 */
#ifndef CULD_SCHEDULE_ALLOCATE_H
#define CULD_SCHEDULE_ALLOCATE_H

#include "schedule/code.h"

/* Producer -> new scoreboard; NO_SCOREBOARD for the load of R1. NULL if it is too much work. */
uint8_t *allocate_scoreboards(const struct code *code);

/* Instruction -> new wait mask, for these scoreboards. NULL if it is too much work. */
uint8_t *allocate_waits(const struct code *code, const uint8_t *numbers);

#endif
