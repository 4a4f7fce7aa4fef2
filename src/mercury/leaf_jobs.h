/*
 * leaf_jobs.h: many kernels are rewritten at once, by several threads.
 */
#ifndef CULD_MERCURY_LEAF_JOBS_H
#define CULD_MERCURY_LEAF_JOBS_H

#include "base/trace.h"
#include "schedule/leaf.h"

struct leaf_job {
    uint32_t kernel;  /* function */
    bool may_be_leaf; /* else its scoreboards stay as they are */
    struct leaf_kernel leaf;
    struct leaf_result result;
    bool ran_out; /* of memory */
};

/* Sets the results; what they point to is memory of the arena. */
void run_leaf_jobs(struct leaf_job *jobs, uint32_t count, unsigned threads, struct arena *arena,
                   struct arena *scratch, struct trace *trace);

#endif
