/*
 * ahead.h: images opened by several threads before it is their turn to be merged.
 *
 * Nothing is said here: one that is damaged is opened again, aloud, when it is its turn.
 */
#ifndef CULD_MERGE_AHEAD_H
#define CULD_MERGE_AHEAD_H

#include "merge/open.h"

struct opener;
struct opened_place;

struct openers {
    bool is_mercury;
    struct opener *list; /* by worker: the objects live in their memory */
    unsigned count;
    struct opened_place *places; /* see base/parallel.h */
    uint32_t place_count;
};

void openers_init(struct openers *openers, bool is_mercury, unsigned workers, struct arena *arena);
void openers_release(struct openers *openers);

/* By a worker. */
void open_ahead(struct openers *openers, uint32_t index, unsigned worker, const char *name,
                struct bytes image);

/* When it is its turn, once. NULL: it was not opened, or is damaged. */
struct object *take_opened(struct openers *openers, uint32_t index);

#endif
