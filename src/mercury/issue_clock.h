/*
 * issue_clock.h: when instructions are issued, what they leave behind, and what they need.
 */
#ifndef CULD_MERCURY_ISSUE_CLOCK_H
#define CULD_MERCURY_ISSUE_CLOCK_H

#include "base/arena.h"
#include "mercury/issue_units.h"
#include "schedule/operands.h"

/* When a register was written, in cycles, and by what: a number of enum result_kind in the last bits. */
typedef uint32_t time_stamp;
enum { KIND_BITS = 4, KIND_MASK = (1 << KIND_BITS) - 1 };

/* What happened longer ago than so many cycles has no effect any more. */
enum { FORGOTTEN = 64, LAST_TIME = 1 << 26 };

/* Tables that every instruction writes to have a place for those that have nothing to write. */
enum { NOWHERE = REGISTER_COUNT, PLACES = REGISTER_COUNT + 8 };

struct issue_clock {
    const struct issue_family *family;
    struct arena *scratch;
    struct bytes text;
    uint32_t count;  /* of instructions, without padding */
    uint32_t number; /* of the one that is looked at, up to which all that matters is noted */
    uint32_t now;    /* when it is issued */
    uint32_t before; /* when the one before it was */
    bool has_unknown_times;
    uint64_t *labels; /* NULL: not needed yet */
    uint32_t free_at[PORTS];
    time_stamp written[PLACES];
};

static inline struct instruction
instruction_at(const struct issue_clock *clock, uint32_t number)
{
    return read_instruction(clock->text.at + (size_t)number * INSTRUCTION_SIZE);
}

/* Does the instruction, in a block that begins there, come at another time than it should? The block is known up to it, and
   it and the one before are of plain units. */
bool comes_at_odd_time(struct issue_clock *clock, uint32_t number, uint32_t begin);

#endif
