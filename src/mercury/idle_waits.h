/*
 * idle_waits.h: does each wait of a function have a reason?
 *
 * nvlink makes all waits anew. Those of a compiler have reasons that can be found in the code: the instruction
 * uses a register that something under way on that scoreboard still writes or reads, it takes the scoreboard
 * itself, or it ends a stretch of code and waits for what should be done by then. A wait for nothing tells that
 * it, or the scoreboard that it once was for, was changed afterwards.
 */
#ifndef CULD_MERCURY_IDLE_WAITS_H
#define CULD_MERCURY_IDLE_WAITS_H

#include "base/bytes.h"

struct arena;

/* Of a function as a compiler wrote it: where an instruction waits for a scoreboard without a reason, or
   SIZE_MAX. What is not understood is passed. */
size_t find_idle_wait(struct bytes text, struct arena *scratch);

#endif
