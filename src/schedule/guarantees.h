/*
 * guarantees.h: does one schedule guarantee all that another does?
 *
 * A schedule guarantees at a place that a producer is done if every path from the producer to there
 * waits for its scoreboard. What the old schedule guarantees, the new one must, too, wherever that
 * may matter.
 */
#ifndef CULD_SCHEDULE_GUARANTEES_H
#define CULD_SCHEDULE_GUARANTEES_H

#include "schedule/code.h"

struct schedules {
    uint8_t *old_waits, *new_waits; /* instruction -> mask */
    const uint8_t *old_numbers;     /* producer -> scoreboard */
    uint8_t *new_numbers;           /* NO_SCOREBOARD: nobody needs to wait for it */

    /* Instructions that wait, issue or are DEPBAR, and maybe others; ascending, and one behind all. */
    const uint32_t *events;
};

/* NULL if it does, else what is wrong. `in_step`: is what may be pending where control leaves what is
   looked at the same under both? Then the same holds for the rest of the text, where the schedules
   are equal. */
const char *find_broken_guarantee(const struct code *code, const struct schedules *schedules,
                                  bool *in_step);

#endif
