/*
 * correspondence.h: do two schedules wait for the same producers?
 *
 * All that a wait asks of a producer is its scoreboards in both. So what may be pending is known well
 * enough as a set of pairs, (scoreboard in the old schedule, in the new one), which is one word. As long as
 * the new schedule waits for every pair that the old one waits for, it guarantees as much, whatever the
 * producers are.
 */
#ifndef CULD_SCHEDULE_CORRESPONDENCE_H
#define CULD_SCHEDULE_CORRESPONDENCE_H

#include "schedule/guarantees.h"

/* True if nowhere a producer may be pending under the new schedule alone; `in_step` as in
   find_broken_guarantee. If not, it takes a closer look to know whether that matters. */
bool schedules_correspond(const struct code *code, const struct schedules *schedules,
                          bool *in_step);

#endif
