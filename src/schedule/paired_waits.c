#include "schedule/paired_waits.h"

#include "schedule/pending.h"
#include "schedule/summary.h"

struct pairing {
    const struct code *code;
    const struct new_scoreboards *renewed;
    struct paired_waits *waits;
    struct pairs_pending *begins; /* by block, also of those that are not looked at */
    struct producer_list queue;
    uint8_t *is_queued;
};

/* A walk through a block. */
struct pairing_walk {
    uint32_t block;
    struct pairs_pending place;
    unsigned issued; /* new scoreboards that the block has taken so far */
};

static bool
begins_in_step(const struct pairs_pending *place)
{
    return !place->in_old && !(place->in_both & ~(SAME_SCOREBOARDS & ~WITHOUT_NEW));
}

/* Is everything the same under both numberings, in the block and where it begins? */
static bool
is_in_step(const struct pairing *pairing, uint32_t block)
{
    const struct code *code = pairing->code;
    uint32_t first = first_producer(code, code->blocks[block].first);
    uint32_t end = producers_end(code, code->blocks[block].last);

    if (code->is_guarded && pairing->renewed->overdue[code->blocks[block].last])
        return false;
    return begins_in_step(&pairing->begins[block]) &&
           !memcmp(pairing->renewed->numbers + first, code->numbers + first, end - first);
}

/* Does anything come round a loop to the block, of this producer and those behind it? */
static bool
comes_round(const struct pairing *pairing, uint32_t block, uint32_t first)
{
    const uint64_t *entering = set_number(&pairing->renewed->entering, block);
    uint32_t w = first / 64;
    uint64_t found = entering[w] & UINT64_MAX << first % 64;

    while (++w < pairing->renewed->entering.words)
        found |= entering[w];
    return found;
}

/* The new scoreboards that the event takes. */
static unsigned
own_numbers(const struct pairing *pairing, const struct code_event *event)
{
    unsigned mask = 0;

    for (uint32_t p = event->first_producer; p < event[1].first_producer; p++)
        mask |= 1u << pairing->renewed->numbers[p];
    return mask & ALL_SCOREBOARDS;
}

/* May it have to wait for what it takes? See waits_for_own in waits.c. */
static bool
may_wait_for_own(const struct pairing *pairing, const struct pairing_walk *walk,
                 const struct code_event *event, unsigned own)
{
    own &= ~walk->issued; /* what was issued before in the block was known when it was taken */
    return walk->place.in_both & pairs_of_new(own) &&
           comes_round(pairing, walk->block, event->first_producer);
}

/*
 * The new mask of an event; false if that depends on who is on a scoreboard. See carried_over in
 * waits.c: nobody asks whether a wait is needed where all that is on the old scoreboard is on one new one.
 */
static bool
find_mask(const struct pairing *pairing, const struct pairing_walk *walk,
          const struct code_event *event, unsigned *mask)
{
    unsigned own = own_numbers(pairing, event), taken = taken_by(event);

    if (walk->place.in_both & WITHOUT_OLD && touches_all(pairing->code, event->at))
        return false; /* it waits for what nobody waited for */
    *mask = pairing->renewed->overdue[event->at];
    for (unsigned left = event->waits; left; left &= left - 1) {
        unsigned number = (unsigned)__builtin_ctz(left);
        unsigned pending = new_of_old(walk->place.in_both, number);
        unsigned all = new_of_old(walk->place.in_both | walk->place.in_old, number);
        if (!is_one_at_most(all) || pending & pairing->renewed->not_overdue[event->at] ||
            (taken >> number & 1 && pending & ~own))
            return false;
        *mask |= pending;
    }
    if (event->waits == ALL_SCOREBOARDS)
        *mask = ALL_SCOREBOARDS;
    return !own || !may_wait_for_own(pairing, walk, event, own);
}

/* Passes the waits; false if something is pending under the new numbering alone behind them. */
static bool
pass_waits(struct pairs_pending *place, unsigned old_waits, unsigned new_waits)
{
    pairs by_old = pairs_of_old(old_waits), by_new = pairs_of_new(new_waits);

    if (place->in_both & by_old & ~by_new & ~WITHOUT_NEW)
        return false;
    place->in_old = (place->in_old | (place->in_both & by_new)) & ~(by_old | WITHOUT_OLD);
    place->in_both &= ~(by_old | by_new);
    return true;
}

/* Does the mask name an old scoreboard that nothing is on? */
static bool
has_idle_bits(const struct pairs_pending *place, unsigned mask)
{
    pairs all = place->in_both | place->in_old;

    for (; mask && all >> (unsigned)__builtin_ctz(mask) * 8 & UINT8_MAX; mask &= mask - 1)
        ;
    return mask;
}

static bool
pass_event(const struct pairing *pairing, struct pairing_walk *walk, const struct code_event *event)
{
    const struct code *code = pairing->code;
    const uint8_t *numbers = pairing->renewed->numbers;
    unsigned mask;

    if (!find_mask(pairing, walk, event, &mask))
        return false;
    pairing->waits->masks[event->at] = (uint8_t)mask;
    pairing->waits->has_idle_bits |= has_idle_bits(&walk->place, event->waits);
    if (!(event->marks & KEEPS_PENDING) && !pass_waits(&walk->place, event->waits, mask))
        return false;
    for (uint32_t p = event->first_producer; p < event[1].first_producer; p++) {
        walk->place.in_both |= pair_of(code->numbers[p], numbers[p]);
        walk->issued |= 1u << numbers[p];
    }
    return true;
}

/* The end of the block, which is no event, may wait nevertheless. */
static bool
pass_end(const struct pairing *pairing, struct pairing_walk *walk, uint32_t last)
{
    unsigned mask = pairing->renewed->overdue[last];

    if (!mask || is_code_event(pairing->code, last))
        return true;
    pairing->waits->masks[last] = (uint8_t)mask;
    pairing->waits->has_more = true;
    return pass_waits(&walk->place, 0, mask);
}

/* The same masks, without what nothing is pending on. */
static void
pass_in_step(const struct pairing *pairing, uint32_t block, struct pairs_pending *end)
{
    const struct code *code = pairing->code;
    uint32_t last = code->blocks[block].last;
    unsigned busy = all_old(pairing->begins[block].in_both), idle = 0;
    const struct code_event *event = event_from(code, code->blocks[block].first), *first = event;

    for (; event->at <= last; event++) {
        unsigned old = event->waits, mask = old == ALL_SCOREBOARDS ? old : old & busy;
        idle |= old & ~busy;
        pairing->waits->masks[event->at] = (uint8_t)(mask | pairing->renewed->overdue[event->at]);
        busy = (busy & ~relied_waits(event)) | taken_by(event);
    }
    spend(code, (uint64_t)(event - first));
    pairing->waits->has_idle_bits |= idle != 0;
    *end = (struct pairs_pending){pairs_of_old(busy) & SAME_SCOREBOARDS, 0};
}

static bool
walk_out_of_step(const struct pairing *pairing, uint32_t block, struct pairs_pending *end)
{
    const struct code *code = pairing->code;
    uint32_t last = code->blocks[block].last;
    struct pairing_walk walk = {.block = block, .place = pairing->begins[block]};
    const struct code_event *event = event_from(code, code->blocks[block].first), *first = event;

    for (; event->at <= last; event++)
        if (!pass_event(pairing, &walk, event))
            return false;
    spend(code, (uint64_t)(event - first) + 1);
    bool is_done = pass_end(pairing, &walk, last);
    *end = walk.place;
    return is_done;
}

static bool
walk_block(const struct pairing *pairing, uint32_t block, struct pairs_pending *end)
{
    uint32_t first = pairing->code->blocks[block].first, last = pairing->code->blocks[block].last;

    memset(pairing->waits->masks + first, 0, last - first + 1);
    if (is_in_step(pairing, block)) {
        pass_in_step(pairing, block, end);
        return true;
    }
    if (walk_out_of_step(pairing, block, end))
        return true;
    memset(pairing->waits->masks + first, 0, last - first + 1);
    return !pairing->begins[block].in_old && pairing->waits->walk(pairing->waits->user, block, end);
}

static void
enqueue(struct pairing *pairing, uint32_t block)
{
    if (pairing->is_queued[block] || block >= pairing->code->block_count)
        return;
    pairing->is_queued[block] = 1;
    array_push(&pairing->queue, pairing->code->arena, block);
}

static void
join_successors(struct pairing *pairing, uint32_t b, const struct pairs_pending *end)
{
    const struct block *block = &pairing->code->blocks[b];

    for (uint32_t s = 0; s < block->successor_count; s++) {
        uint32_t next = pairing->code->successors[block->first_successor + s];
        struct pairs_pending *begin = &pairing->begins[next];
        bool is_new = (end->in_both & ~begin->in_both) | (end->in_old & ~begin->in_old);
        begin->in_both |= end->in_both;
        begin->in_old |= end->in_old;
        if (is_new)
            enqueue(pairing, next);
    }
    spend(pairing->code, block->successor_count);
}

/* Walks through blocks until what is pending where they begin does not change. */
static bool
settle(struct pairing *pairing)
{
    const struct code *code = pairing->code;
    struct pairs_pending end;

    for (uint32_t b = code->block_count; b-- > 0;)
        enqueue(pairing, b);
    while (pairing->queue.count && !is_spent(code)) {
        uint32_t b = pairing->queue.at[--pairing->queue.count];
        pairing->is_queued[b] = 0;
        if (!walk_block(pairing, b, &end))
            return false;
        join_successors(pairing, b, &end);
    }
    return !is_spent(code);
}

bool
allocate_paired_waits(const struct code *code, const struct new_scoreboards *renewed,
                      struct paired_waits *waits)
{
    uint32_t blocks = code->block_count + code->exit_count;
    struct pairing pairing = {
        .code = code,
        .renewed = renewed,
        .waits = waits,
        .begins = arena_array(code->arena, blocks, sizeof *pairing.begins),
        .is_queued = arena_array(code->arena, blocks, 1),
    };

    if (!settle(&pairing))
        return false;
    waits->are_exits_in_step = true;
    for (uint32_t b = code->block_count; b < blocks; b++)
        waits->are_exits_in_step &= begins_in_step(&pairing.begins[b]);
    for (uint32_t b = 0; b < code->block_count; b++)
        waits->numbers_before[b] =
            (uint8_t)all_old(pairing.begins[b].in_both | pairing.begins[b].in_old);
    return true;
}
