/*
 * paired_waits.h: new wait masks where pairs of scoreboards tell enough.
 */
#ifndef CULD_SCHEDULE_PAIRED_WAITS_H
#define CULD_SCHEDULE_PAIRED_WAITS_H

#include "schedule/allocate.h"
#include "schedule/pairs.h"

/* See the fields of the same names in waits.c. */
struct paired_waits {
    uint8_t *masks, *numbers_before;
    bool has_more, has_idle_bits;
    bool are_exits_in_step;

    /* Walks through a block producer by producer, where the same is pending under both numberings when it
       begins: all that enters it as it came. False if something is pending under the new one alone at its end. */
    bool (*walk)(void *user, uint32_t block, struct pairs_pending *end);
    void *user;
};

/* False where it matters which producers are on a scoreboard, for more than a block, or it is too much work. */
bool allocate_paired_waits(const struct code *code, const struct new_scoreboards *renewed,
                           struct paired_waits *waits);

#endif
