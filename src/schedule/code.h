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
#include "schedule/opcodes.h"

#define NO_INSTRUCTION UINT32_MAX
#define NO_PRODUCER UINT32_MAX

struct producer {
    uint32_t at; /* the instruction */
    bool reads;  /* its scoreboard tells of operands read, not of results */
};

/* What scheduling asks of an instruction that waits, has a producer, transfers control or counts down: what
   walks that follow what is pending go by. */
struct code_event {
    uint32_t at;
    uint32_t first_producer; /* from here on */
    uint8_t waits;           /* mask */
    uint8_t read, write;     /* scoreboards */
    uint8_t marks;           /* enum event_mark */
};

enum event_mark {
    IS_DEPBAR = 1,
    KEEPS_PENDING =
        2 /* part of a warp passes without what follows: ptxas does not rely on the wait */
};

struct block {
    uint32_t first, last;                          /* instructions */
    uint32_t first_successor, successor_count;     /* in code.successors */
    uint32_t first_predecessor, predecessor_count; /* in code.predecessors */
};

/*
 * Most code comes out as it came but for its beginning. What control cannot come back to from behind
 * can be looked at by itself: what is pending in it does not depend on the rest.
 */
struct code {
    struct arena *arena;
    int64_t *effort; /* steps that may still be made; see spend() */
    struct bytes text;
    uint32_t whole_count;                   /* instructions of the text */
    uint32_t count;                         /* those that are looked at, from the first on */
    const struct instruction *instructions; /* all of the text */
    const struct operands ***operands;      /* by OPERANDS_TOGETHER: see operands_at() */

    uint32_t *landmarks; /* instructions that are one, ascending */
    uint32_t landmark_count, whole_landmark_count;
    uint32_t
        *least_targets; /* landmark -> the first instruction to which it or a later one leads */
    uint32_t *issued;   /* instruction -> cycles before it is issued, waits aside */

    /* Of what is looked at, and one more behind it; of others only where they are. */
    struct code_event *events;
    uint32_t event_count;
    uint32_t *event_of; /* instruction -> the first event from it on; one entry more at the end */

    uint32_t block_count, exit_count;
    struct block *blocks; /* and behind them where control goes on in what is not looked at */
    uint32_t *successors, *predecessors;

    uint32_t producer_count; /* of what is looked at */
    struct producer *producers;
    uint8_t *numbers;        /* producer -> its scoreboard as it came */
    uint32_t stack_load;     /* the producer that loads R1, or NO_PRODUCER */
    uint32_t read_count;     /* instructions whose events and producers are known */
    bool uses_stack_pointer; /* an instruction other than the first reads or writes R1 */
    bool gains_load;         /* that producer has no scoreboard as it came, and gets one */
    bool may_call;           /* calls use every register */
    bool is_guarded;         /* its exits were just guarded for debuggers */
    bool counts_groups;      /* of copies that run by themselves: the first scoreboard does */
    bool has_fetches;        /* from textures or surfaces: the last scoreboard is kept for them */
    bool waits_for_some;     /* DEPBAR waits for some scoreboards, and not for all */
    uint32_t hasty_end;      /* behind the last instruction whose stall is too short for the next */
};

/* How closely control is followed. WARPSYNC lets part of a warp go on where the collective operation
   after it ends; who chose the scoreboards did not take that for a branch. */
enum flow { FLOW_AS_COMPILED, FLOW_IN_FULL };

/* What can be known of each instruction by itself; false, with a reason, where it cannot be
   understood. */
bool code_open(struct code *code, const struct leaf_kernel *kernel, struct arena *arena,
               const char **reason);

/* The first instructions, at least so many, that can be looked at by themselves, and their blocks;
   all effort before it. */
bool code_follow(struct code *code, const struct leaf_kernel *kernel, enum flow flow,
                 uint32_t least, const char **reason);

static inline struct instruction
landmark_at(const struct code *code, uint32_t landmark)
{
    return code->instructions[code->landmarks[landmark]];
}

/* Most instructions are never asked for theirs. */
const struct operands *find_operands(const struct code *code, uint32_t instruction);

#define OPERANDS_TOGETHER 64

static inline const struct operands *
operands_at(const struct code *code, uint32_t instruction)
{
    const struct operands **some = code->operands[instruction / OPERANDS_TOGETHER];
    const struct operands *operands = some ? some[instruction % OPERANDS_TOGETHER] : NULL;

    return operands ? operands : find_operands(code, instruction);
}

/*
 * Few producers are pending at any place of a real kernel, so that following them costs little. Code
 * made to have many must not take long either: steps are counted, and once they are spent, loops end
 * early and whoever runs them gives up.
 */
static inline bool
is_spent(const struct code *code)
{
    return *code->effort <= 0;
}

static inline void
spend(const struct code *code, uint64_t steps)
{
    *code->effort -= (int64_t)steps;
}

/* The first event from that instruction on. */
static inline const struct code_event *
event_from(const struct code *code, uint32_t instruction)
{
    return &code->events[code->event_of[instruction]];
}

/* The same, as the number of an instruction. */
static inline uint32_t
next_event_at(const struct code *code, uint32_t instruction)
{
    return event_from(code, instruction)->at;
}

static inline bool
is_code_event(const struct code *code, uint32_t instruction)
{
    return next_event_at(code, instruction) == instruction;
}

static inline uint32_t
first_producer(const struct code *code, uint32_t instruction)
{
    return event_from(code, instruction)->first_producer;
}

static inline uint32_t
producers_end(const struct code *code, uint32_t instruction)
{
    return first_producer(code, instruction + 1);
}

/* Mask: the scoreboards that an event counts up. */
static inline unsigned
taken_by(const struct code_event *event)
{
    return (1u << event->read | 1u << event->write) & ALL_SCOREBOARDS;
}

static inline bool
is_in_block(const struct code *code, uint32_t instruction, uint32_t block)
{
    return instruction >= code->blocks[block].first && instruction <= code->blocks[block].last;
}

static inline const struct traits *
traits_at(const struct code *code, uint32_t instruction)
{
    return &opcode_table[opcode_of(&code->instructions[instruction])].traits;
}

static inline bool
touches_all(const struct code *code, uint32_t instruction)
{
    return traits_at(code, instruction)->flags & TOUCHES_ALL;
}

/* Does the instruction write a register that the producer may still have to read? A register that
   the producer also writes is guarded by its write scoreboard. */
bool overwrites_source(const struct operands *producer, const struct operands *writer);

/* Does it read or write what the other instruction writes? */
bool touches_result(const struct code *code, uint32_t producer, uint32_t instruction);

/* Does the producer have to be done before this instruction is issued? Mostly the sieves say no. */
static inline bool
conflicts(const struct code *code, uint32_t producer, uint32_t instruction)
{
    uint32_t at = code->producers[producer].at;
    const struct operands *first = operands_at(code, at), *second = operands_at(code, instruction);

    if (second->traits.flags & TOUCHES_ALL)
        return true;
    if (code->producers[producer].reads)
        return first->read_sieve & second->written_sieve && overwrites_source(first, second);
    return first->written_sieve & (second->read_sieve | second->written_sieve) &&
           touches_result(code, at, instruction);
}

/* Does anything in the text load from global or local memory, or from textures? Atomic operations may be
   without a result. */
bool has_slow_results(const struct code *code);

static inline unsigned
producer_class(const struct code *code, uint32_t producer)
{
    return traits_at(code, code->producers[producer].at)->class;
}

#endif
