/*
 * wait_search.h: reasons of waits that are not on the straight way to them.
 *
 * They are looked for backwards, from block to block, until one is found.
 */
#ifndef CULD_MERCURY_WAIT_SEARCH_H
#define CULD_MERCURY_WAIT_SEARCH_H

#include "base/arena.h"
#include "mercury/wait_reasons.h"

/* Which of the events waits, and for which scoreboards. */
struct doubtful_wait {
    uint32_t event;
    uint32_t scoreboards;
};

/* The first of the waits that has no reason anywhere; NULL: all have one. */
const struct doubtful_wait *find_idle_among(const struct wait_flow *flow,
                                            const struct doubtful_wait *waits, uint32_t count,
                                            struct arena *scratch);

#endif
