/*
 * parallel.h: one loop over many threads. No other file of the library knows of threads.
 */
#ifndef CULD_BASE_PARALLEL_H
#define CULD_BASE_PARALLEL_H

#include "base/trace.h"

typedef void (*parallel_body)(void *user, uint32_t index, unsigned worker);

/*
 * For each index `make` is called, by any worker and in any order, then, if there is one, `deliver` by
 * the same worker. Only one worker at a time delivers.
 *
 * `make` must write nothing but what belongs to its index or its worker: then the result is the same
 * for any number of threads. Neither may end the link (diag_fatal) or use its arena.
 */
struct parallel_loop {
    const char *name; /* for the trace */
    uint32_t count;
    parallel_body make;
    parallel_body deliver; /* NULL: nothing to be done in turn */
    void *user;
};

/* By at most `threads` workers, numbered from 0; the first is the caller. */
void parallel_run(const struct parallel_loop *loop, unsigned threads, struct trace *trace);

/* As many as there are processors for us. */
unsigned parallel_processors(void);

#endif
