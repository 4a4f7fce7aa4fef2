/*
 * exits.h: what a link for debuggers adds to kernels that were not compiled for them.
 *
 * Before each exit errors of memory accesses are waited for, so that they are reported where they
 * happen. The added instructions have the exit's guard, and neither read nor write a register.
 */
#ifndef CULD_SCHEDULE_EXITS_H
#define CULD_SCHEDULE_EXITS_H

#include "base/arena.h"
#include "base/bytes.h"
#include "schedule/leaf.h"

enum {
    EXIT_GUARDS = 3,      /* a fence, and two that wait for errors */
    LEAF_EXIT_GUARDS = 2, /* without the fence */
};

struct guarded_exits {
    struct bytes text;
    const uint32_t *exits; /* their numbers in the text as it came, ascending */
    uint32_t exit_count;
    uint32_t added; /* before each of them */
};

/* False if the kernel's text is none that can be changed. */
bool guard_exits(const struct leaf_kernel *kernel, uint32_t added, struct arena *arena,
                 struct guarded_exits *out);

/* Where a place of the text as it came is: of an exit, what is before it now. */
uint64_t guarded_place(const struct guarded_exits *guarded, uint64_t offset);

/* How many of the `count` instructions from number `first` on are exits. */
uint32_t guarded_among(const struct guarded_exits *guarded, uint32_t first, uint32_t count);

/* The guard of the exit whose number that is in the text as it came: see guard_of. And the predicate
   that it has beside it, in the same form. */
unsigned guard_of_exit(const struct guarded_exits *guarded, uint32_t exit);
unsigned predicate_of_exit(const struct guarded_exits *guarded, uint32_t exit);

#endif
