/*
 * crew.h: the workers of a link (parallel.h) and their memory. What they make lives as long as the link.
 */
#ifndef CULD_BASE_CREW_H
#define CULD_BASE_CREW_H

#include "base/arena.h"
#include "base/trace.h"

struct worker_memory {
    struct arena *kept; /* of the first worker, the thread of the link: the arena of the link */
    struct arena scratch;
    struct arena own; /* of the others */
};

/* All zeroes but for the arena and the trace of the link to begin with. */
struct crew {
    struct arena *arena;
    struct trace *trace;
    unsigned threads;           /* that the images of the link are worth */
    struct worker_memory *list; /* by worker; NULL: there was nothing to do for them */
};

/* A turn of a worker is a tenth of a millisecond, or less. So few are done before another thread is there. */
enum { FEWEST_TURNS = 8 };

/* Before workers ask for memory. */
void crew_prepare(struct crew *crew);

/* The first worker has memory always. */
static inline struct arena *
crew_arena(const struct crew *crew, unsigned worker)
{
    return worker ? crew->list[worker].kept : crew->arena;
}

/*
 * A worker can neither speak nor end the link: what would do so in the function ends it, in silence, and
 * is told when the link does it again. False if that was so. Scratch memory is released.
 */
bool crew_try(const struct crew *crew, unsigned worker,
              void (*function)(void *user, struct worker_memory *memory), void *user);

void crew_release(struct crew *crew);

#endif
