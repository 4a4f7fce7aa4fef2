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

/* An instruction that is not the same in both texts: what the new one has. A scoreboard that went is
   NO_SCOREBOARD: nobody needs to wait for it. */
struct difference {
    uint32_t at;
    uint8_t waits; /* mask */
    uint8_t read, write;
};

/* The old schedule is that of the code; the new one is the same but for these, which ascend, with one behind
   all. */
struct schedules {
    const struct difference *differences;
    uint32_t count;
};

/* One instruction of both, for walks through events and differences at once. */
struct common_event {
    uint32_t at;
    uint32_t first_producer; /* from here on */
    uint8_t old_waits, new_waits;
    uint8_t read, write; /* new scoreboards, of those that the old one has */
    bool is_depbar;
};

/* The next of either. */
static inline struct common_event
next_common(const struct code_event **event, const struct difference **difference)
{
    const struct code_event *old = *event;
    const struct difference *new = *difference;
    bool is_event = old->at <= new->at, is_new = new->at <= old->at;
    unsigned waits = is_event ? old->waits : 0;

    *event += is_event;
    *difference += is_new;
    return (struct common_event){
        .at = is_event ? old->at : new->at,
        .first_producer = old->first_producer,
        .old_waits = (uint8_t)waits,
        .new_waits = (uint8_t)(is_new ? new->waits : waits),
        .read = is_new ? new->read : old->read,
        .write = is_new ? new->write : old->write,
        .is_depbar = is_event && old->marks &IS_DEPBAR,
    };
}

/* NULL if it does, else what is wrong. `in_step`: is what may be pending where control leaves what is
   looked at the same under both? Then the same holds for the rest of the text, where the schedules
   are equal. */
const char *find_broken_guarantee(const struct code *code, const struct schedules *schedules,
                                  bool *in_step);

#endif
