#include "schedule/follow.h"

#include "schedule/blocks.h"
#include "schedule/summary.h"

/* What a wait of the kernel as it came stood for. */
struct reason {
    bool is_needed;    /* one of them conflicts with the instruction */
    unsigned needed;   /* new scoreboards of those that do */
    unsigned pending;  /* of all that counted on the old scoreboard */
    unsigned in_block; /* of those among them that the block issued */
};

/* What counted on one scoreboard of a wait mask. */
static struct reason
find_reason(const struct allocation *allocation, uint32_t at, unsigned number)
{
    const struct producer_list *list = &allocation->before.pending->on[number];
    const struct code *code = allocation->code;
    struct reason reason = {0};

    spend(code, list->count);
    for (uint32_t i = 0; i < list->count; i++) {
        uint32_t producer = list->at[i];
        if (producer == code->stack_load)
            continue;
        bool is_pending = allocation->pair.holds[producer] & PENDING_AFTER;
        unsigned bit = is_pending ? 1u << allocation->numbers[producer] : 0;
        reason.pending |= bit;
        if (is_in_block(code, code->producers[producer].at, allocation->block))
            reason.in_block |= bit;
        if (conflicts(code, producer, at)) {
            reason.is_needed = true;
            reason.needed |= bit;
        }
    }
    return reason;
}

static void
remember_late(const struct code *code, struct side *side, unsigned mask)
{
    for (unsigned left = mask & side->pending->busy; left; left &= left - 1) {
        const struct producer_list *list = &side->pending->on[__builtin_ctz(left)];
        for (uint32_t i = 0; i < list->count; i++)
            array_push(&side->late, code->arena, list->at[i]);
    }
}

/* Should it be done so many cycles after its issue? */
static bool
is_long_enough(const struct code *code, uint32_t producer, uint32_t cycles)
{
    enum { LEAST_CYCLES = 13 };

    return cycles >= LEAST_CYCLES && 2 * cycles >= expected_latency(code, producer);
}

/* Should it be done by now? Of another block it is not known. */
static bool
is_overdue(const struct allocation *allocation, uint32_t producer, uint32_t at)
{
    const struct code *code = allocation->code;
    uint32_t issuer = code->producers[producer].at;

    return is_in_block(code, issuer, allocation->block) &&
           is_long_enough(code, producer, code->issued[at] - code->issued[issuer]);
}

/* The same where a guarded exit comes so many cycles after it. Exits wait for constants a little earlier
   than branches do. */
static bool
is_long_enough_for_exit(const struct code *code, uint32_t producer, uint32_t cycles)
{
    enum { LEAST_CYCLES = 14, CYCLES_OF_CONSTANTS = 23 };

    if (opcode_of(&code->instructions[code->producers[producer].at]) == OP_LDC)
        return cycles >= CYCLES_OF_CONSTANTS;
    return cycles >= LEAST_CYCLES && is_long_enough(code, producer, cycles);
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

/* Should it be done by a guarded exit, and is that so because of the guards alone? */
static bool
is_overdue_by_guards(const struct allocation *allocation, uint32_t producer, uint32_t at)
{
    const struct code *code = allocation->code;
    uint32_t issuer = code->producers[producer].at, first = first_guard(code, at);

    return is_long_enough_for_exit(code, producer, code->issued[at] - code->issued[issuer]) &&
           !is_long_enough_for_exit(code, producer, code->issued[first] - code->issued[issuer]);
}

/* Scoreboards on which nothing else is. What was issued before a barrier is not waited for. */
static unsigned
overdue_by_guards(const struct allocation *allocation, uint32_t at)
{
    const struct pending *after = allocation->after.pending;
    unsigned candidates = 0;

    if (!is_guarded_exit(allocation->code, at))
        return 0;
    uint32_t from = behind_barriers(allocation, at);
    for (unsigned left = after->busy; left; left &= left - 1) {
        const struct producer_list *list = &after->on[__builtin_ctz(left)];
        uint32_t issuer = allocation->code->producers[list->at[0]].at;
        if (list->count == 1 && issuer >= from && issuer < at &&
            is_overdue_by_guards(allocation, list->at[0], at))
            candidates |= left & -left;
    }
    return candidates;
}

/* Is all that counts on a new scoreboard overdue, and anything of it on that old one? */
static bool
is_overdue_with(const struct allocation *allocation, unsigned number, unsigned old, uint32_t at)
{
    const struct producer_list *list = &allocation->after.pending->on[number];
    bool is_candidate = false;

    spend(allocation->code, list->count);
    for (uint32_t i = 0; i < list->count; i++) {
        uint32_t producer = list->at[i];
        if (!is_overdue(allocation, producer, at))
            return false;
        is_candidate |= allocation->pair.holds[producer] & PENDING_BEFORE &&
                        allocation->before.pending->numbers[producer] == old;
    }
    return is_candidate;
}

/* Branches and exits wait for what should be done by then. That need not show in the kernel as it
   came where the load of R1 was on the same scoreboard; it is found again for these. */
static unsigned
overdue_numbers(struct allocation *allocation, uint32_t at)
{
    uint32_t load = allocation->code->stack_load;
    unsigned mask = 0;

    if (allocation->code->is_guarded)
        return overdue_by_guards(allocation, at);
    unsigned old = allocation->before.pending->numbers[load];
    if (!allocation->pair.holds[load] || wait_mask(&allocation->code->instructions[at]) >> old & 1)
        return 0;
    for (unsigned left = allocation->after.pending->busy; left; left &= left - 1)
        if (is_overdue_with(allocation, (unsigned)__builtin_ctz(left), old, at))
            mask |= left & -left;
    return mask;
}

static void
free_numbers(struct allocation *allocation, unsigned before, unsigned after)
{
    pair_wait_before(&allocation->pair, before);
    pair_wait_after(&allocation->pair, after);
    scene_wait(&allocation->before.scene, before);
    scene_wait(&allocation->after.scene, after);
}

/* The last instruction of a block also waits for what should be done by then; scoreboards that
   become free by this are free for the next block only. */
void
follow_waits(struct allocation *allocation, uint32_t at)
{
    const struct code *code = allocation->code;
    bool is_last = at == code->blocks[allocation->block].last;
    unsigned free_before = 0, free_after = 0;

    if (keeps_pending(code, at))
        return;
    for (unsigned left = wait_mask(&code->instructions[at]); left; left &= left - 1) {
        unsigned number = (unsigned)__builtin_ctz(left);
        struct reason reason = find_reason(allocation, at, number);
        if (reason.is_needed || !is_last) {
            free_before |= 1u << number;
            free_after |= reason.is_needed ? reason.needed : reason.pending;
        } else {
            remember_late(code, &allocation->before, 1u << number);
            remember_late(code, &allocation->after,
                          reason.in_block ? reason.in_block : reason.pending);
        }
    }
    if (allocation->pair.ahead)
        free_after |= additional_waits(&allocation->pair, at, false);
    if (transfers_control(&code->instructions[at])) {
        allocation->overdue[at] = (uint8_t)overdue_numbers(allocation, at);
        remember_late(code, &allocation->after, allocation->overdue[at]);
    }
    free_numbers(allocation, free_before, free_after);
}
