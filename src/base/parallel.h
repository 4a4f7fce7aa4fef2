/*
 * parallel.h: loops over many threads. No other file of the library knows of threads.
 */
#ifndef CULD_BASE_PARALLEL_H
#define CULD_BASE_PARALLEL_H

#include "base/trace.h"

/* No more are started at once. */
enum { MOST_THREADS = 64 };

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

/*
 * What the caller has to take one after the other, made ahead by all: `make` is as above. The caller
 * takes each index, in order, when it is made, and makes others while the next one is not. No more are
 * made ahead than there are places: index i may use what belongs to place i % places, from when it is
 * made until it is taken.
 */
struct parallel_line {
    const char *name;
    uint32_t count;
    uint32_t places; /* at most MOST_PLACES */
    parallel_body make;
    bool (*take)(void *user, uint32_t index); /* false: no other is taken */
    void *user;
};

enum { MOST_PLACES = 64 };

void parallel_run_line(const struct parallel_line *line, unsigned threads, struct trace *trace);

/* As many as there are processors for us. */
unsigned parallel_processors(void);

/* As many of them as have nothing else to do at this moment, and at least one: a further thread would
   take its time from others, and make the link as a whole cost more. */
unsigned parallel_free_processors(void);

#endif
