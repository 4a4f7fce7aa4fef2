/*
 * ahead.h: images opened by several threads before it is their turn to be merged.
 *
 * Nothing is said here: one that is damaged is opened again, aloud, when it is its turn.
 */
#ifndef CULD_MERGE_AHEAD_H
#define CULD_MERGE_AHEAD_H

#include "base/crew.h"
#include "base/parallel.h"
#include "mercury/known_code.h"
#include "merge/open.h"

/* Index i is in place i % MOST_PLACES (parallel.h). */
struct opened_place {
    struct object *object;
    struct notes_room room;
};

struct opened_images {
    const struct crew *crew;
    bool is_mercury, is_trusted; /* as in struct opening */
    struct opened_place places[MOST_PLACES];
    struct known_code known[MOST_THREADS]; /* by worker */
};

/* By a worker. */
void open_ahead(struct opened_images *images, uint32_t index, unsigned worker, const char *name,
                struct bytes image);

/* When it is its turn, once. NULL: it was not opened, or is damaged. */
struct object *take_opened(struct opened_images *images, uint32_t index);

#endif
