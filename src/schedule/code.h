/*
 * code.h: a kernel's text as instructions, basic blocks and producers.
 *
 * A producer is one use of a scoreboard: an instruction that counts one up is one, or two if it has
 * a read and a write scoreboard. Producers are numbered in program order, reading before writing.
 */
#ifndef CULD_SCHEDULE_CODE_H
#define CULD_SCHEDULE_CODE_H

#include "base/array.h"
#include "schedule/leaf.h"
#include "schedule/operands.h"

#define NO_INSTRUCTION UINT32_MAX
#define NO_PRODUCER UINT32_MAX

struct producer {
    uint32_t at; /* the instruction */
    bool reads;  /* its scoreboard tells of operands read, not of results */
};

struct block {
    uint32_t first, last;                          /* instructions */
    uint32_t first_successor, successor_count;     /* in code.successors */
    uint32_t first_predecessor, predecessor_count; /* in code.predecessors */
};

struct code {
    struct arena *arena;
    uint32_t count;
    struct instruction *instructions;
    struct operands *operands;

    uint32_t block_count;
    struct block *blocks;
    uint32_t *block_of; /* instruction -> block */
    uint32_t *successors, *predecessors;

    uint32_t producer_count;
    struct producer *producers;
    uint32_t *first_producer; /* instruction -> its first producer; one entry more at the end */
    uint8_t *numbers;         /* producer -> its scoreboard as it came */
    uint32_t stack_load;      /* the producer that loads R1, or NO_PRODUCER */
};

/* What WARPSYNC does to control: it lets part of a warp go on where the collective operation after
   it ends. */
enum collectives { COLLECTIVES_FALL_THROUGH, COLLECTIVES_BRANCH };

/* The text as instructions; false, with a reason, where it cannot be understood. */
bool code_open(struct code *code, const struct leaf_kernel *kernel, enum collectives collectives,
               struct arena *arena, const char **reason);

/* Where a branch goes, as the number of an instruction, or below 0 or beyond the end. */
int64_t branch_target(const struct instruction *instruction, uint32_t at);

/* Does the producer have to be done before this instruction is issued? */
bool conflicts(const struct code *code, uint32_t producer, uint32_t instruction);

static inline uint32_t
producers_end(const struct code *code, uint32_t instruction)
{
    return code->first_producer[instruction + 1];
}

static inline unsigned
producer_class(const struct code *code, uint32_t producer)
{
    return code->operands[code->producers[producer].at].class;
}

#endif
