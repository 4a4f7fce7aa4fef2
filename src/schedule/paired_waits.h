/*
 * paired_waits.h: new wait masks where pairs of scoreboards tell enough.
 */
#ifndef CULD_SCHEDULE_PAIRED_WAITS_H
#define CULD_SCHEDULE_PAIRED_WAITS_H

#include "schedule/allocate.h"

/* See the fields of the same names in waits.c. */
struct paired_waits {
    uint8_t *masks, *numbers_before;
    bool has_more, has_idle_bits;
    bool are_exits_in_step;
};

/* False where it matters which producers are on a scoreboard, or it is too much work. */
bool allocate_paired_waits(const struct code *code, const struct new_scoreboards *renewed,
                           struct paired_waits *waits);

#endif
