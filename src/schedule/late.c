#include "schedule/follow.h"

#include "schedule/blocks.h"

/*
 * What the last instruction of a block waits for although nobody needs it yet: what should be done by
 * then. Cycles are counted from the begin of the block on, waits among them.
 */

/* Where it is not known yet what comes round a loop, only what the block itself issued. */
void
remember_late(const struct allocation *allocation, struct side *side, unsigned mask)
{
    const struct code *code = allocation->code;

    for (unsigned left = mask & side->pending->busy; left; left &= left - 1) {
        const struct producer_list *list = &side->pending->on[__builtin_ctz(left)];
        for (uint32_t i = 0; i < list->count; i++)
            if (!allocation->begins_loop ||
                is_in_block(code, code->producers[list->at[i]].at, allocation->block))
                array_push(&side->late, code->arena, list->at[i]);
    }
}

/* What is on these scoreboards is not waited for after all. */
static void
forget_late(struct side *side, unsigned mask)
{
    uint32_t kept = 0;

    for (uint32_t i = 0; i < side->late.count; i++)
        if (!(mask >> side->pending->numbers[side->late.at[i]] & 1))
            side->late.at[kept++] = side->late.at[i];
    side->late.count = kept;
}

/* When the instruction is issued, in cycles since the block began: it is held back by what was waited
   for. */
static uint32_t
time_of(const struct allocation *allocation, uint32_t at)
{
    const struct code *code = allocation->code;

    return code->issued[at] - code->issued[code->blocks[allocation->block].first] +
           allocation->delay;
}

/* Did the block issue it before this instruction, in this turn of a loop? */
static bool
is_issued_here(const struct allocation *allocation, uint32_t producer, uint32_t at)
{
    const struct code *code = allocation->code;
    uint32_t issuer = code->producers[producer].at;

    return issuer >= code->blocks[allocation->block].first && issuer <= at;
}

/* Cycles until operands are read; others take as long as stores do. */
static const struct {
    uint16_t opcode;
    uint8_t cycles;
} reading_times[] = {{0x388, 13}, {0x988, 12}, {0x981, 10}, {0x984, 8},
                     {0x389, 9},  {0x589, 10}, {0x989, 9},  {0xf89, 9}};

enum { LEAST_CYCLES = 14, TOO_LONG = 1 << 16 };

/* Cycles after which a producer should be done. For what is slow nobody waits without need. */
static uint32_t
settling_time(const struct code *code, uint32_t producer)
{
    const struct producer *who = &code->producers[producer];
    uint32_t latency = expected_latency(code, producer);

    if (!who->reads && producer_class(code, producer) != SHORT_LATENCY)
        return TOO_LONG;
    if (!who->reads)
        return latency > LEAST_CYCLES ? latency : LEAST_CYCLES;
    for (unsigned i = 0; i < COUNT_OF(reading_times); i++)
        if (reading_times[i].opcode == opcode_of(&code->instructions[who->at]))
            return reading_times[i].cycles;
    return LEAST_CYCLES;
}

void
follow_issue(struct allocation *allocation, uint32_t producer)
{
    uint32_t now = time_of(allocation, allocation->code->producers[producer].at);
    uint32_t done = now + settling_time(allocation->code, producer);
    uint32_t *settled = &allocation->settled[allocation->numbers[producer]];

    allocation->issued_at[producer] = now;
    *settled = done > *settled ? done : *settled;
}

void
hold_back(struct allocation *allocation, uint32_t at, unsigned mask)
{
    uint32_t now = time_of(allocation, at), then = now;

    for (unsigned left = mask; left; left &= left - 1) {
        uint32_t settled = allocation->settled[__builtin_ctz(left)];
        then = settled > then ? settled : then;
    }
    allocation->delay += then - now;
}

/* Of the old scoreboard on which a producer was: what its wait, or that there was none, tells. */
enum evidence { TELLS_NOTHING, WAS_DONE, WAS_NOT_DONE };

/* Are all that were on the old scoreboard on the same new one? */
static bool
are_still_together(const struct allocation *allocation, unsigned old)
{
    const struct producer_list *list = &allocation->before.pending->on[old];
    unsigned numbers = 0;

    spend(allocation->code, list->count);
    for (uint32_t i = 0; i < list->count; i++)
        if (allocation->pair.holds[list->at[i]] & PENDING_AFTER)
            numbers |= 1u << allocation->numbers[list->at[i]];
        else
            return false;
    return !(numbers & (numbers - 1));
}

/* Some ends of blocks wait earlier or later than others. */
static const struct {
    uint16_t producer, end;
    uint8_t cycles;
} times_at_ends[] = {{OP_LDCU, OP_EXIT, 0}, {OP_LDCU, OP_BRA, 18}, {OP_S2R, OP_BRA_UNIFORM, 48}};

/* Should a producer be done by the end of the block? */
static bool
is_done_at_end(const struct allocation *allocation, uint32_t producer, uint32_t at, uint32_t when)
{
    const struct code *code = allocation->code;
    uint32_t cycles = time_of(allocation, when) - allocation->issued_at[producer];
    unsigned opcode = opcode_of(&code->instructions[code->producers[producer].at]);
    unsigned end = opcode_of(&code->instructions[at]);

    for (unsigned i = 0; i < COUNT_OF(times_at_ends); i++)
        if (times_at_ends[i].producer == opcode && times_at_ends[i].end == end)
            return cycles >= times_at_ends[i].cycles;
    return cycles >= settling_time(code, producer);
}

static enum evidence
evidence_of(const struct allocation *allocation, uint32_t producer, uint32_t at)
{
    const struct code *code = allocation->code;
    unsigned old = allocation->before.pending->numbers[producer];

    if (code->producers[producer].at == at)
        return WAS_NOT_DONE;
    if (!(allocation->pair.holds[producer] & PENDING_BEFORE))
        return TELLS_NOTHING;
    if (wait_mask(&code->instructions[at]) >> old & 1)
        return WAS_DONE;
    return are_still_together(allocation, old) ? WAS_NOT_DONE : TELLS_NOTHING;
}

/* Is all that counts on a new scoreboard done by the end of the block? */
static bool
is_overdue(const struct allocation *allocation, unsigned number, uint32_t at)
{
    const struct producer_list *list = &allocation->after.pending->on[number];

    spend(allocation->code, list->count);
    for (uint32_t i = 0; i < list->count; i++) {
        enum evidence evidence = evidence_of(allocation, list->at[i], at);
        if (evidence == WAS_NOT_DONE ||
            (evidence == TELLS_NOTHING && !is_done_at_end(allocation, list->at[i], at, at)))
            return false;
    }
    return true;
}

/* Of what another block issued it is not known when it is done, and groups of copies are counted. */
static bool
has_known_end(const struct allocation *allocation, unsigned number, uint32_t at)
{
    const struct producer_list *list = &allocation->after.pending->on[number];

    spend(allocation->code, list->count);
    for (uint32_t i = 0; i < list->count; i++)
        if (!is_issued_here(allocation, list->at[i], at) ||
            producer_class(allocation->code, list->at[i]) == ASYNC_GROUP)
            return false;
    return true;
}

/* The number of the first instruction of the block, or behind the last barrier that is before `at`. */
static uint32_t
behind_barriers(const struct allocation *allocation, uint32_t at)
{
    enum { BARRIER = 0x11d }; /* with operands of any kind */
    const struct code *code = allocation->code;
    uint32_t first = code->blocks[allocation->block].first;

    spend(code, at - first);
    while (at > first && (opcode_of(&code->instructions[at - 1]) & 0x1ff) != BARRIER)
        at--;
    return at;
}

/* Is all that is on a scoreboard done by a guarded exit, and not without the guards? */
static bool
is_overdue_by_guards(const struct allocation *allocation, unsigned number, uint32_t at)
{
    const struct producer_list *list = &allocation->after.pending->on[number];
    uint32_t first = first_guard(allocation->code, at);
    bool was_overdue = true;

    for (uint32_t i = 0; i < list->count; i++) {
        if (!is_done_at_end(allocation, list->at[i], at, at))
            return false;
        was_overdue &= is_done_at_end(allocation, list->at[i], at, first);
    }
    return !was_overdue;
}

/* What was issued before a barrier is not waited for. */
static unsigned
overdue_by_guards(const struct allocation *allocation, uint32_t at)
{
    const struct pending *after = allocation->after.pending;
    unsigned overdue = 0;

    if (!is_guarded_exit(allocation->code, at))
        return 0;
    uint32_t from = behind_barriers(allocation, at);
    for (unsigned left = after->busy; left; left &= left - 1) {
        unsigned number = (unsigned)__builtin_ctz(left);
        uint32_t issuer = allocation->code->producers[after->on[number].at[0]].at;
        if (issuer >= from && has_known_end(allocation, number, at) &&
            is_overdue_by_guards(allocation, number, at))
            overdue |= 1u << number;
    }
    return overdue;
}

/* The last instruction of a block waits for what should be done by then. The kernel as it came shows
   what that is where the same was on a scoreboard; it is found again for others. */
void
follow_end(struct allocation *allocation, uint32_t at)
{
    unsigned overdue = 0, not_overdue = 0;

    if (allocation->code->is_guarded) {
        overdue = overdue_by_guards(allocation, at);
    } else {
        for (unsigned left = allocation->after.pending->busy; left; left &= left - 1) {
            unsigned number = (unsigned)__builtin_ctz(left);
            if (has_known_end(allocation, number, at))
                *(is_overdue(allocation, number, at) ? &overdue : &not_overdue) |= 1u << number;
        }
    }
    allocation->overdue[at] = (uint8_t)overdue;
    allocation->not_overdue[at] = (uint8_t)not_overdue;
    forget_late(&allocation->after, not_overdue);
    remember_late(allocation, &allocation->after, overdue);
}
