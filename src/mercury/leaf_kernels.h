/*
 * leaf_kernels.h: kernels whose instructions a link changes, and all that names a place in them.
 *
 * Kernels that call nothing lose padding; those that were not compiled for debuggers get more
 * instructions in a link for them.
 */
#ifndef CULD_MERCURY_LEAF_KERNELS_H
#define CULD_MERCURY_LEAF_KERNELS_H

#include "base/crew.h"
#include "elfw/elfw.h"
#include "schedule/exits.h"
#include "schedule/leaf.h"

/* A kernel that instructions were removed from, and then added to. */
struct code_shift {
    struct leaf_kernel kernel;
    struct leaf_result result;
    struct guarded_exits exits; /* of the result's text; none: nothing was added */
};

/* First: which inputs were compiled with guards at their exits, as those for debuggers are? */
void find_guarded_inputs(struct elfw *elfw);

/* Once all texts have their SASS: rewrites it and its capsule where there is anything to change. */
void finish_code(struct elfw *elfw, unsigned threads, struct crew *crew);

/* A place in the SASS of the function as it came, in the output. */
uint64_t shifted_place(const struct code_shift *shift, uint64_t offset);
static inline uint64_t
moved_place(const struct function *function, uint64_t offset)
{
    return function->shift ? shifted_place(function->shift, offset) : offset;
}

/* The same of an exit itself, not of what is before it now. */
uint64_t moved_exit(const struct function *function, uint64_t offset);

/* The same for `count` words of 32 bits, in their place. */
void move_words(const struct function *function, uint8_t *words, size_t count);

#endif
