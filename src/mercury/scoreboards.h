/*
 * scoreboards.h: do the waits of a function go with its scoreboards?
 *
 * nvlink makes both anew. Compilers wait for no scoreboard that no instruction of the function has, and give
 * arithmetic, whose results are used, none that nothing waits for.
 */
#ifndef CULD_MERCURY_SCOREBOARDS_H
#define CULD_MERCURY_SCOREBOARDS_H

#include "base/bytes.h"

/* The first instruction, up to `end`, with a scoreboard or a wait that no compiler gives it; SIZE_MAX: there
   is none. */
size_t find_odd_scoreboard(struct bytes text, size_t end);

#endif
