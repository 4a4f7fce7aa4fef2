/*
 * externals.h: sets of functions that the driver must know about, as they are gathered from what a
 * function lists and from what those that it calls reach. The numbers of entry fragments are gathered
 * in the same way.
 */
#ifndef CULD_FINALIZE_EXTERNALS_H
#define CULD_FINALIZE_EXTERNALS_H

#include "base/array.h"

/* An undefined function or kernel that the driver must know about. */
struct external {
    int32_t symbol; /* or the number of a fragment */
    uint64_t key;   /* order in which the list is written */
};

/* By symbol, each once. */
struct externals {
    const struct external *at;
    uint32_t count;
};

/* One that is being gathered. Most are the same as one that there is. */
struct external_union {
    struct arena *arena;          /* of the list while it grows */
    struct externals first, last; /* what was added as a whole */
    ARRAY(struct external) list;  /* all of it but the first */
    uint32_t ordered;             /* so many of these, from the start, are by symbol, each once */
};

/* An empty one; what it had room for stays. */
void externals_clear(struct external_union *all);
void externals_add(struct external_union *all, struct external external);
/* The list must stay where it is. Of a symbol that was there the earlier key counts. */
void externals_add_all(struct external_union *all, struct externals more);
/* What was gathered, in memory of the arena if it is not the same as the first. */
struct externals externals_of(struct external_union *all, struct arena *arena);

#endif
