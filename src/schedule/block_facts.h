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

    /* The last scoreboard is kept for what is slow and not waited for in the block; if anything in the
       text is, others that are not waited for in their block do not take it either. */
    bool keeps_last, has_slow_results;

    /* Where a collective operation ends, which waits for all before it; 0: nowhere. */
    uint32_t collective_end;

    /* Register -> the next instruction that reads or writes it, or writes it, plus 1. Not of predicates:
       hardly any producer writes one. */
    uint32_t next_touched[PREDICATES], next_written[PREDICATES];
    uint32_t *known_in; /* producer -> the block, plus 1, that `conflict` is about */

    /* Producer -> the last instruction before the first conflict in its own block; 0: not known. */
    uint32_t *free_until;
};

struct block_facts *block_facts_new(const struct code *code);
void block_facts_begin(struct block_facts *facts, uint32_t block);

/* Of a producer that is pending where the block begins. */
void block_facts_add(struct block_facts *facts, uint32_t producer);

/* The same as conflicts(), of an instruction of the block: mostly it is known by now, and nobody has to
   look at operands. */
bool block_facts_conflict(const struct block_facts *facts, uint32_t block, uint32_t producer,
                          uint32_t instruction);

#endif
