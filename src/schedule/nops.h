/*
 * nops.h: NOPs in code of releases before 13.0.
 *
 * They put one behind every instruction at which a warp converges. It goes. If what comes then needs
 * the time that it took, the instruction before it takes longer. Where a stall is longer than one
 * instruction can take, NOPs take the rest of it, the shortest first; today that is the last.
 */
#ifndef CULD_SCHEDULE_NOPS_H
#define CULD_SCHEDULE_NOPS_H

#include "schedule/instruction.h"
#include "schedule/leaf.h"

bool converges(const struct instruction *instruction);

/* Is that what follows instruction `at`, one of `count`? */
bool is_followed_by_nop(struct bytes text, uint32_t count, uint32_t at);

struct converging {
    struct bytes text;
    uint32_t count;    /* of instructions */
    bool *is_target;   /* of a branch, by instruction */
    bool has_tables;   /* of targets that are not known here */
    bool has_products; /* of matrices or doubles, which take long */
};

/* `code` says where its indirect branches lead. */
struct converging find_targets(const struct leaf_kernel *code, struct bytes text, uint32_t count,
                               struct arena *arena);

/* The instruction, which is followed by a NOP, as it is without it. */
struct instruction without_nop(const struct converging *code, uint32_t at);

/* The text with the longest first. */
struct bytes order_nops(struct bytes text, struct arena *arena);

#endif
