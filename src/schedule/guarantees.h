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

struct schedule {
    const uint8_t *waits;   /* instruction -> mask */
    const uint8_t *numbers; /* producer -> scoreboard; NO_SCOREBOARD: nobody needs to wait for it */
};

/* NULL if it does, else what is wrong. The code's own scoreboards do not matter here. */
const char *find_broken_guarantee(const struct code *code, const struct schedule *old,
                                  const struct schedule *new);

#endif
