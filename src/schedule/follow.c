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

/* Is a wait for what comes round a loop? That was not known when scoreboards were chosen. */
static bool
is_for_loop(const struct allocation *allocation, uint32_t at, unsigned number)
{
    const struct code *code = allocation->code;
    const uint64_t *entering = set_number(&allocation->entering, allocation->block);
    const uint64_t *on = set_number(&allocation->by_number, number);

    if (allocation->waited >> number & 1 || !(allocation->coming_round >> number & 1))
        return false;
    spend(code, allocation->entering.words);
    for (uint32_t w = 0; w < allocation->entering.words; w++)
        for (uint64_t left = entering[w] & on[w]; left; left &= left - 1) {
            uint32_t producer = member_of_word(w, left);
            if (!(allocation->pair.holds[producer] & PENDING_BEFORE) &&
                conflicts(code, producer, at))
                return true;
        }
    return false;
}

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
        if (block_facts_conflict(allocation->facts, allocation->block, producer, at)) {
            reason.is_needed = true;
            reason.needed |= bit;
        }
    }
    return reason;
}

/* Does it make no difference whether a wait is needed, because it is not one of a block's end? */
static bool
needs_no_reason(const struct allocation *allocation, unsigned number)
{
    return !allocation->pair.behind && !(allocation->coming_round >> number & 1) &&
           is_one_at_most(what_stands_for(&allocation->pair, number));
}

static void
free_numbers(struct allocation *allocation, unsigned before, unsigned after)
{
    pair_wait_before(&allocation->pair, before);
    pair_wait_after(&allocation->pair, after);
    scene_wait(&allocation->before.scene, before);
    scene_wait(&allocation->after.scene, after);
    for (; after; after &= after - 1)
        allocation->settled[__builtin_ctz(after)] = 0;
}

/* Waits that only the new numbering needs, besides. */
static void
pass_waits(struct allocation *allocation, uint32_t at, unsigned free_before, unsigned free_after)
{
    if (allocation->pair.ahead)
        free_after |= additional_waits(&allocation->pair, at, false);
    hold_back(allocation, at, free_after);
    free_numbers(allocation, free_before, free_after);
}

void
follow_new_waits(struct allocation *allocation, uint32_t at)
{
    pass_waits(allocation, at, 0, 0);
}

/* The last instruction of a block also waits for what should be done by then; scoreboards that
   become free by this are free for the next block only. */
void
follow_waits(struct allocation *allocation, const struct code_event *event)
{
    uint32_t at = event->at;
    bool is_last = at == allocation->code->blocks[allocation->block].last;
    unsigned free_before = 0, free_after = 0;

    if (event->marks & KEEPS_PENDING || !(event->waits | allocation->pair.ahead))
        return;
    for (unsigned left = event->waits; left; left &= left - 1) {
        unsigned number = (unsigned)__builtin_ctz(left);
        if (!is_last && needs_no_reason(allocation, number)) {
            free_before |= 1u << number;
            free_after |= what_stands_for(&allocation->pair, number);
            continue;
        }
        struct reason reason = find_reason(allocation, at, number);
        if (!reason.is_needed && is_for_loop(allocation, at, number))
            continue;
        if (reason.is_needed || !is_last) {
            free_before |= 1u << number;
            free_after |= reason.is_needed ? reason.needed : reason.pending;
        } else {
            remember_late(allocation, &allocation->before, 1u << number);
            remember_late(allocation, &allocation->after,
                          reason.in_block ? reason.in_block : reason.pending);
        }
    }
    allocation->waited |= event->waits;
    pass_waits(allocation, at, free_before, free_after);
}
