/*
 * blocks.h: basic blocks, and where control goes from each.
 */
#ifndef CULD_SCHEDULE_BLOCKS_H
#define CULD_SCHEDULE_BLOCKS_H

#include "schedule/code.h"

/* Where control goes from each landmark of the text; false if that may be somewhere that is not
   known. */
bool find_branch_targets(struct code *code, const struct leaf_kernel *kernel);

/* How many instructions can be looked at by themselves, at least so many: nothing behind them leads to
   them, and they end with a branch or an exit. */
uint32_t closed_count(const struct code *code, uint32_t least);

/* Does control go on with the next instruction behind each BSYNC of the text? */
bool meets_at_next(const struct code *code);

/* Fills in the blocks of what is looked at, or fills them in again. */
void find_blocks(struct code *code, const struct leaf_kernel *kernel, enum flow flow);

/* Where the indirect branch of that number may go; NULL: that is not known. */
const struct leaf_jump *find_jump(const struct leaf_kernel *kernel, uint32_t at);

/* Does control never, or not only, go on to the next instruction? By the table, since nobody could predict
   which it is. */
static inline bool
transfers_control(const struct instruction *instruction)
{
    return opcode_table[opcode_of(instruction)].known & TRANSFERS;
}

/* Of code whose exits were just guarded: is it one of them, and where do its guards begin? */
bool is_guarded_exit(const struct code *code, uint32_t at);
uint32_t first_guard(const struct code *code, uint32_t exit);

/* Where a branch goes, as the number of an instruction, or below 0 or beyond the end. */
int64_t branch_target(const struct instruction *instruction, uint32_t at);

/* Where a warp that parts after BSSY meets again. */
int64_t meeting_place(const struct instruction *instruction, uint32_t at);

/* Does it go to a place that it names itself? */
static inline bool
is_direct_branch(unsigned opcode)
{
    return opcode == OP_BRA || opcode == OP_BRA_UNIFORM || opcode == OP_CALL_RELATIVE;
}

/* The place that an instruction names at which control may come from elsewhere; below 0: none. */
int64_t named_place(const struct instruction *instruction, uint32_t at);

#endif
