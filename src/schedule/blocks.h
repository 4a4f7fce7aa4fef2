/*
 * blocks.h: basic blocks, and where control goes from each.
 */
#ifndef CULD_SCHEDULE_BLOCKS_H
#define CULD_SCHEDULE_BLOCKS_H

#include "schedule/code.h"

/* Fills in the blocks of code whose instructions are there, or fills them in again; false if control
   may go somewhere that is not known. */
bool find_blocks(struct code *code, const struct leaf_kernel *kernel, enum flow flow);

/* Where the indirect branch of that number may go; NULL: that is not known. */
const struct leaf_jump *find_jump(const struct leaf_kernel *kernel, uint32_t at);

/* Does control never, or not only, go on to the next instruction? */
bool transfers_control(const struct instruction *instruction);

/* Where a branch goes, as the number of an instruction, or below 0 or beyond the end. */
int64_t branch_target(const struct instruction *instruction, uint32_t at);

/* Where a warp that parts after BSSY meets again. */
int64_t meeting_place(const struct instruction *instruction, uint32_t at);

#endif
