/*
 * issue_times.h: when compilers let instructions issue.
 *
 * An instruction stalls the next one until all that this needs is there, and no longer: a unit that is
 * free, and results of instructions whose times are known. Both were found in millions of instructions.
 */
#ifndef CULD_MERCURY_ISSUE_TIMES_H
#define CULD_MERCURY_ISSUE_TIMES_H

#include "base/arena.h"
#include "base/bytes.h"

/* For functions of that target, one after the other. */
struct issue_clock;
struct issue_clock *issue_clock_new(unsigned target, struct arena *scratch);

/* Where an instruction of the function stalls for less or more cycles than the next one needs; SIZE_MAX: nowhere,
   as far as that is known. */
size_t find_odd_stall(struct issue_clock *clock, struct bytes text);

#endif
