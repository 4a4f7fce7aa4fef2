/*
 * correspondence.h: do two schedules wait for the same producers?
 *
 * What may be pending is followed as pairs of scoreboards (pairs.h). As long as the new schedule waits for
 * every pair that the old one waits for, it guarantees as much, whatever the producers are.
 */
#ifndef CULD_SCHEDULE_CORRESPONDENCE_H
#define CULD_SCHEDULE_CORRESPONDENCE_H

#include "schedule/guarantees.h"

struct correspondence {
    bool is_complete; /* nowhere a producer may be pending under the new schedule alone */
    bool in_step;     /* if so: see find_broken_guarantee */
    uint8_t *
        parts; /* blocks in which one may be, or what is counted may differ: these have to be looked
                         at more closely */
};

/* False if it is too much work. */
bool find_correspondence(const struct code *code, const struct schedules *schedules,
                         struct correspondence *correspondence);

#endif
