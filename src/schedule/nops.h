/*
 * nops.h: the NOP that releases before 13.0 put behind every instruction at which a warp converges.
 *
 * It goes. If what comes then needs the time that it took, the instruction before it takes longer.
 */
#ifndef CULD_SCHEDULE_NOPS_H
#define CULD_SCHEDULE_NOPS_H

#include "base/arena.h"
#include "schedule/instruction.h"

bool converges(const struct instruction *instruction);

/* Is that what follows instruction `at`, one of `count`? */
bool is_followed_by_nop(struct bytes text, uint32_t count, uint32_t at);

struct converging {
    struct bytes text;
    bool *is_target; /* of a branch, by instruction */
    bool has_tables; /* of targets that are not known here */
};

struct converging find_targets(struct bytes text, uint32_t count, struct arena *arena);

/* How long the instruction, which is followed by a NOP, takes without it. */
unsigned stall_without_nop(const struct converging *code, uint32_t at);

#endif
