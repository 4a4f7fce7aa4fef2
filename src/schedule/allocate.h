/*
 * allocate.h: new scoreboards for a kernel whose load of R1 nobody uses.
 *
 * The kernel as it came is the best guide: it was numbered by the same rules, with that load. Both
 * numberings are followed through the code side by side. Where the rules explain the old number,
 * they give the new one; where they do not, the new one is what corresponds to the old.
 */
#ifndef CULD_SCHEDULE_ALLOCATE_H
#define CULD_SCHEDULE_ALLOCATE_H

#include "schedule/producer_sets.h"

struct new_scoreboards {
    uint8_t *numbers; /* by producer; NO_SCOREBOARD for the load of R1 */
    uint8_t *overdue; /* by instruction: mask of what the end of a block waits for without need */
    uint8_t *not_overdue; /* mask of what it does not wait for, though it might have done so */
    const struct block_summary *summaries;
    struct producer_sets by_number; /* by the scoreboards as they came */
    struct producer_sets entering;  /* block -> what is pending where it begins, as it came */
    bool leaves_in_step; /* is everything the same again where control goes on behind what is looked
                            at? Then the rest of the text stays as it is. */
    const struct block_facts *facts;
    bool has_more_waits; /* also of instructions that are no events */
};

/* False if it is too much work. */
bool allocate_scoreboards(const struct code *code, struct new_scoreboards *renewed);

/* Instruction -> new wait mask, for these scoreboards. NULL if it is too much work. */
uint8_t *allocate_waits(const struct code *code, struct new_scoreboards *renewed);

#endif
