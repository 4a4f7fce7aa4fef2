/*
 * frame_events.h: the frame of a function that several inputs have described.
 *
 * nvlink attaches what frames of mercury say to the instructions of the definition that won, frame
 * after frame, and then writes one frame of SASS. What a later frame says of an instruction
 * replaces what was said before.
 */
#ifndef CULD_MERCURY_FRAME_EVENTS_H
#define CULD_MERCURY_FRAME_EVENTS_H

#include "mercury/code_map.h"

struct frame_event {
    uint32_t place; /* in SASS */
    uint32_t first,
        last;       /* where SASS may have it: only one place, unless the instruction before it is
                             several in SASS */
    uint32_t order; /* of saying */
    struct bytes saying; /* operations */
};

struct frame_events {
    const struct code_map *map;
    uint32_t mercury_base,
        sass_base; /* where the function begins: 0, unless it is inside another */
    ARRAY(struct frame_event) list;
};

/* What a frame of mercury says. */
void frame_events_add(struct frame_events *events, struct arena *arena, struct bytes frame);

/* The frame of SASS, under the head of the winner's. */
struct bytes frame_events_write(struct frame_events *events, struct arena *arena,
                                const struct function *function, struct bytes winner);

/* Is that what a frame of SASS says, each at its place? */
bool frame_events_fit(struct frame_events *events, struct bytes sass);

#endif
