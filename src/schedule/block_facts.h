/*
 * block_facts.h: what is known of one basic block before its producers get their scoreboards.
 */
#ifndef CULD_SCHEDULE_BLOCK_FACTS_H
#define CULD_SCHEDULE_BLOCK_FACTS_H

#include "schedule/pending.h"

struct block_facts {
    const struct code *code;
    uint32_t block;

    /* Producer -> the first instruction of the block that it conflicts with, after itself; or
       NO_INSTRUCTION. For producers of the block and those that block_facts_add was told of. */
    uint32_t *conflict;

    /* The last scoreboard is kept for what is slow and not waited for in the block. */
    bool keeps_last;

    uint32_t next_read[REGISTER_COUNT], next_written[REGISTER_COUNT];
};

struct block_facts *block_facts_new(const struct code *code);
void block_facts_begin(struct block_facts *facts, uint32_t block);

/* Of a producer that is pending where the block begins. */
void block_facts_add(struct block_facts *facts, uint32_t producer);

#endif
