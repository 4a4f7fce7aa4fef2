/*
 * wait_reasons.h: what an instruction may wait for a scoreboard for.
 *
 * Of registers sieves are compared (operands.h), which may hold one too many: a wait may be believed to have a
 * reason that it has not.
 */
#ifndef CULD_MERCURY_WAIT_REASONS_H
#define CULD_MERCURY_WAIT_REASONS_H

#include "schedule/opcodes.h"

/* An instruction that has scoreboards, or at which control may go elsewhere. */
struct event {
    uint32_t at;
    uint32_t next_results, next_operands; /* see struct line */
    uint8_t takes, done; /* scoreboards, and those of which all that was under way before is done */
    bool is_read;        /* what is below is known: it is asked for rarely */
    bool is_for_all;     /* anything may wait for it */
    uint64_t written, read_late; /* sieves */
};

struct wait_flow {
    struct bytes text;
    uint32_t count; /* instructions */
    struct event *events;
    uint32_t event_count;
    uint32_t *turns, turn_count; /* instructions that branch to a place that they name */
    uint64_t *starts; /* a bit for each instruction that control may come to from elsewhere */
};

enum { WORD_BITS = 64 };

static inline struct instruction
instruction_of(const struct wait_flow *flow, uint32_t at)
{
    return read_instruction(flow->text.at + (size_t)at * INSTRUCTION_SIZE);
}

/* How far back something is. Compilers wait once more where they did so at the end of a block, so that what the last
   wait before was for is a reason, too. */
enum distance { UNDER_WAY, WAITED_FOR, WAITED_FOR_SOME, DISTANCES };

/* What a wait for a scoreboard may be for: something on it that has one of these registers, or anything. */
struct reason {
    struct instruction waiter;
    unsigned number;
    bool is_any, is_any_waited_for; /* still under way, and also what was waited for already */
    bool is_read;                   /* what is below is known */
    uint64_t of_written, of_read;   /* sieves */
};

/* Does control go elsewhere behind it, or come from there? */
bool ends_stretch(unsigned opcode);

/* The scoreboards that it waits for. A fence that waits for all needs no reasons: compilers do not count on it
   elsewhere. */
static inline unsigned
waits_with_reason(const struct instruction *instruction)
{
    unsigned opcode = opcode_of(instruction), waits = wait_mask(instruction);

    return waits == ALL_SCOREBOARDS && (opcode == OP_CCTL || opcode == OP_NOP) ? 0 : waits;
}

/* What the event can wait for that scoreboard for; false: anything. */
bool reason_of_wait(const struct wait_flow *flow, const struct event *event, unsigned number,
                    struct reason *reason);

/* Is an event, which takes the scoreboard, a reason to wait for it? */
bool is_reason(const struct wait_flow *flow, struct event *taker, struct reason *reason,
               enum distance distance);

#endif
