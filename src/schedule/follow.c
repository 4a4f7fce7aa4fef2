#include "schedule/follow.h"

#include "schedule/blocks.h"

/* What a wait of the kernel as it came stood for. */
struct reason {
    bool is_needed;    /* one of them conflicts with the instruction */
    unsigned needed;   /* new scoreboards of those that do */
    unsigned pending;  /* of all that counted on the old scoreboard */
    unsigned in_block; /* of those among them that the block issued */
};

/* Of each scoreboard of a wait mask. */
static void
find_reasons(const struct allocation *allocation, uint32_t at, unsigned mask,
             struct reason *reasons)
{
    const struct pending *before = &allocation->before.pending, *after = &allocation->after.pending;
    const struct code *code = allocation->code;

    spend(code, before->list.count);
    for (uint32_t i = 0; i < before->list.count; i++) {
        uint32_t producer = before->list.at[i];
        unsigned number = before->numbers[producer];
        if (!(mask >> number & 1) || producer == code->stack_load)
            continue;
        struct reason *reason = &reasons[number];
        unsigned bit = after->holds[producer] ? 1u << after->numbers[producer] : 0;
        reason->pending |= bit;
        if (is_in_block(code, code->producers[producer].at, allocation->block))
            reason->in_block |= bit;
        if (conflicts(code, producer, at)) {
            reason->is_needed = true;
            reason->needed |= bit;
        }
    }
}

static void
remember_late(struct side *side, unsigned mask)
{
    for (uint32_t i = 0; i < side->pending.list.count; i++) {
        uint32_t producer = side->pending.list.at[i];
        if (mask >> side->pending.numbers[producer] & 1)
            array_push(&side->late, side->pending.code->arena, producer);
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

/* Should it be done by a guarded exit, and is that so because of the guards alone? */
static bool
is_overdue_by_guards(const struct allocation *allocation, uint32_t producer, uint32_t at)
{
    const struct code *code = allocation->code;
    uint32_t issuer = code->producers[producer].at, first = first_guard(code, at);

    if (!is_in_block(code, issuer, allocation->block))
        return false;
    return is_long_enough_for_exit(code, producer, code->issued[at] - code->issued[issuer]) &&
           !is_long_enough_for_exit(code, producer, code->issued[first] - code->issued[issuer]);
}

/* Scoreboards on which nothing else is. An exit that waits for something already waits for no more. */
static unsigned
overdue_by_guards(const struct allocation *allocation, uint32_t at)
{
    const struct pending *after = &allocation->after.pending;
    unsigned candidates = 0, others = 0;

    if (!is_guarded_exit(allocation->code, at) || wait_mask(&allocation->code->instructions[at]))
        return 0;
    spend(allocation->code, after->list.count);
    for (uint32_t i = 0; i < after->list.count; i++) {
        uint32_t producer = after->list.at[i];
        unsigned bit = 1u << after->numbers[producer];
        bool is_first = !((candidates | others) & bit);
        *(is_first && is_overdue_by_guards(allocation, producer, at) ? &candidates : &others) |=
            bit;
    }
    return candidates & ~others;
}

/* Branches and exits wait for what should be done by then. That need not show in the kernel as it
   came where the load of R1 was on the same scoreboard; it is found again for these. */
static unsigned
overdue_numbers(struct allocation *allocation, uint32_t at)
{
    const struct pending *before = &allocation->before.pending, *after = &allocation->after.pending;
    uint32_t load = allocation->code->stack_load;

    if (allocation->code->is_guarded)
        return overdue_by_guards(allocation, at);
    unsigned number = before->numbers[load], candidates = 0, others = 0;
    if (!before->holds[load] || wait_mask(&allocation->code->instructions[at]) >> number & 1)
        return 0;
    spend(allocation->code, after->list.count);
    for (uint32_t i = 0; i < after->list.count; i++) {
        uint32_t producer = after->list.at[i];
        unsigned bit = 1u << after->numbers[producer];
        if (!is_overdue(allocation, producer, at))
            others |= bit;
        else if (before->holds[producer] && before->numbers[producer] == number)
            candidates |= bit;
    }
    return candidates & ~others;
}

/* The last instruction of a block also waits for what should be done by then; scoreboards that
   become free by this are free for the next block only. */
void
follow_waits(struct allocation *allocation, uint32_t at)
{
    const struct code *code = allocation->code;
    bool is_last = at == code->blocks[allocation->block].last;
    unsigned mask = wait_mask(&code->instructions[at]), free_before = 0, free_after = 0;
    struct reason reasons[SCOREBOARDS] = {{0}};

    if (mask)
        find_reasons(allocation, at, mask, reasons);
    for (unsigned left = mask; left; left &= left - 1) {
        unsigned number = (unsigned)__builtin_ctz(left);
        struct reason reason = reasons[number];
        if (reason.is_needed || !is_last) {
            free_before |= 1u << number;
            free_after |= reason.is_needed ? reason.needed : reason.pending;
        } else {
            remember_late(&allocation->before, 1u << number);
            remember_late(&allocation->after, reason.in_block ? reason.in_block : reason.pending);
        }
    }
    if (allocation->ahead)
        free_after |=
            additional_waits(&allocation->before.pending, &allocation->after.pending, at, false);
    if (transfers_control(&code->instructions[at])) {
        allocation->overdue[at] = (uint8_t)overdue_numbers(allocation, at);
        remember_late(&allocation->after, allocation->overdue[at]);
    }
    pending_wait(&allocation->before.pending, free_before);
    pending_wait(&allocation->after.pending, free_after);
    if (free_before | free_after)
        allocation->ahead = pending_ahead(&allocation->after.pending, &allocation->before.pending);
}
