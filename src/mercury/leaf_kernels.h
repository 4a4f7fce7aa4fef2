/*
 * leaf_kernels.h: kernels that call nothing lose padding, and all that names a place in them moves.
 */
#ifndef CULD_MERCURY_LEAF_KERNELS_H
#define CULD_MERCURY_LEAF_KERNELS_H

#include "elfw/elfw.h"
#include "schedule/leaf.h"

/* A kernel that instructions were removed from. */
struct code_shift {
    struct leaf_kernel kernel;
    struct leaf_result result;
};

/* First: which inputs were compiled for debuggers? */
void find_debugged_inputs(struct elfw *elfw);

/* Rewrites the SASS of a text section and the counts of its capsule, if it is a kernel's. */
void finish_kernel(struct elfw *elfw, uint32_t text);

/* A place in the SASS of the function as it came, in the output. */
static inline uint64_t
moved_place(const struct function *function, uint64_t offset)
{
    const struct code_shift *shift = function->shift;
    return shift ? leaf_moved(&shift->kernel, &shift->result, offset) : offset;
}

/* The same for `count` words of 32 bits, in their place. */
void move_words(const struct function *function, uint8_t *words, size_t count);

#endif
