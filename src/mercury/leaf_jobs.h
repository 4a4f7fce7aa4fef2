/*
 * leaf_jobs.h: many kernels are rewritten at once, by several threads.
 */
#ifndef CULD_MERCURY_LEAF_JOBS_H
#define CULD_MERCURY_LEAF_JOBS_H

#include "base/crew.h"
#include "schedule/leaf.h"

struct leaf_job {
    uint32_t kernel;  /* function */
    bool may_be_leaf; /* else its scoreboards stay as they are, */
    bool is_part;     /* unless it was compiled as a whole program and becomes part of one */
    struct leaf_kernel leaf;
    struct leaf_result result;
    bool is_done;
};

/* Sets the results, which live as long as the link. */
void run_leaf_jobs(struct leaf_job *jobs, uint32_t count, unsigned threads, struct crew *crew,
                   struct arena *scratch);

#endif
