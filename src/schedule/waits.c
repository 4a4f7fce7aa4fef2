#include "schedule/allocate.h"
#include "schedule/block_facts.h"
#include "schedule/paired_waits.h"
#include "schedule/summary.h"

/*
 * Wait masks for a new numbering: each old wait is carried over to what it stood for. What is
 * pending under the two numberings is found by iteration over the blocks, first under the old one,
 * which does not change, then under the new one together with the masks.
 */
struct waits {
    const struct code *code;
    const struct block_facts *facts;
    uint32_t block; /* that is walked through */
    struct pending_pair pair;
    const uint8_t *numbers;             /* the new ones */
    struct producer_sets by_number;     /* by the old ones */
    struct producer_sets before, after; /* block -> pending where it begins */
    uint8_t *numbers_before;            /* and the old scoreboards of that */
    uint64_t *renumbered;               /* the set of those with other numbers now */
    uint64_t *passed;                   /* what is pending where a walk ended */
    bool has_more;                      /* something waits that is no event */
    bool has_idle_bits;                 /* something was waited for on which nothing was pending */
    const struct block_summary *summaries; /* under the old numbering */
    struct producer_list queue;
    uint8_t *is_queued;
    uint8_t *masks;
    const uint8_t *overdue, *not_overdue;
};

static bool
waits_for_all(const struct code *code, uint32_t at)
{
    unsigned opcode = opcode_of(&code->instructions[at]);
    return opcode == OP_WARPSYNC || opcode == OP_ENDCOLLECTIVE;
}

/* The new scoreboards of an instruction. */
static unsigned
own_numbers(const struct waits *waits, uint32_t at)
{
    unsigned mask = 0;

    for (uint32_t p = first_producer(waits->code, at); p < producers_end(waits->code, at); p++)
        mask |= 1u << waits->numbers[p];
    return mask;
}

/* What an old scoreboard stands for: new ones. */
struct stand_in {
    bool is_needed;   /* by the registers of who waits */
    unsigned all;     /* of all that count on it */
    unsigned pending; /* of those that are pending under the new numbering */
    unsigned needed;
    unsigned in_block; /* of those that the block issued */
};

static struct stand_in
find_stand_in(const struct waits *waits, uint32_t at, unsigned number)
{
    const struct producer_list *list = &waits->pair.before.on[number];
    struct stand_in to = {0};

    spend(waits->code, list->count);
    for (uint32_t i = 0; i < list->count; i++) {
        uint32_t producer = list->at[i];
        if (producer == waits->code->stack_load)
            continue;
        unsigned bit = 1u << waits->numbers[producer];
        unsigned pending = waits->pair.holds[producer] & PENDING_AFTER ? bit : 0;
        to.all |= bit;
        to.pending |= pending;
        if (is_in_block(waits->code, waits->code->producers[producer].at, waits->block))
            to.in_block |= pending;
        if (block_facts_conflict(waits->facts, waits->block, producer, at)) {
            to.is_needed = true;
            to.needed |= pending;
        }
    }
    return to;
}

/* Who takes a scoreboard that something still counts on waits for that reason alone; with new
   numbers there may be none. The end of a block waits without need for what the block issued. */
static unsigned
carried_over(const struct waits *waits, uint32_t at, unsigned number, const struct stand_in *to)
{
    bool is_one = (to->all & (to->all - 1)) == 0;

    if (!to->is_needed && scoreboard_mask(&waits->code->instructions[at]) >> number & 1)
        return to->pending & own_numbers(waits, at);
    if (!to->is_needed && to->in_block && at == waits->code->blocks[waits->block].last)
        return to->in_block;
    return is_one || !to->is_needed ? to->pending : to->needed;
}

/* Is anything on the scoreboard that came round a loop, and nothing that was known when it was taken? */
static bool
came_round(const struct code *code, const struct producer_list *list, uint32_t at)
{
    bool is_any = false;

    spend(code, list->count);
    for (uint32_t i = 0; i < list->count; i++) {
        if (code->producers[list->at[i]].at < at)
            return false;
        is_any |= code->producers[list->at[i]].at > at;
    }
    return is_any;
}

/* When scoreboards were chosen it was not known what comes round loops: who has taken one on which
   something does waits for it. */
static unsigned
waits_for_own(const struct waits *waits, uint32_t at)
{
    const struct code *code = waits->code;
    unsigned mask = 0;

    for (uint32_t p = first_producer(code, at); p < producers_end(code, at); p++) {
        unsigned number = waits->numbers[p], old = code->numbers[p];
        if (p == code->stack_load || !came_round(code, &waits->pair.after.on[number], at))
            continue;
        /* unless it did not do so before */
        if (wait_mask(&code->instructions[at]) >> old & 1 ||
            !came_round(code, &waits->pair.before.on[old], at))
            mask |= 1u << number;
    }
    return mask;
}

/* Does it make no difference who needs what counts on an old scoreboard? Then all that there is stands for
   it: see carried_over. */
static bool
stands_for_itself(const struct waits *waits, uint32_t at, unsigned number)
{
    unsigned all = what_stands_for(&waits->pair, number);
    bool takes_it = scoreboard_mask(&waits->code->instructions[at]) >> number & 1;

    return !waits->pair.behind && is_one_at_most(all) && !(all & waits->not_overdue[at]) &&
           (!takes_it || !(all & ~own_numbers(waits, at)));
}

/* The wait for one old scoreboard: new ones. */
static unsigned
renewed_wait(const struct waits *waits, uint32_t at, unsigned number)
{
    if (stands_for_itself(waits, at, number))
        return what_stands_for(&waits->pair, number);
    struct stand_in to = find_stand_in(waits, at, number);
    return carried_over(waits, at, number, &to) &
           (to.is_needed ? ALL_SCOREBOARDS : ~(unsigned)waits->not_overdue[at]);
}

static unsigned
new_mask(struct waits *waits, uint32_t at)
{
    unsigned old = wait_mask(&waits->code->instructions[at]), mask = waits->overdue[at];

    waits->has_idle_bits |= (old & ~waits->pair.before.busy) != 0;
    for (unsigned left = old; left; left &= left - 1)
        mask |= renewed_wait(waits, at, (unsigned)__builtin_ctz(left));
    mask |= waits_for_own(waits, at);
    if (waits->pair.ahead)
        mask |= additional_waits(&waits->pair, at, waits_for_all(waits->code, at));
    spend(waits->code, 1);
    return old == ALL_SCOREBOARDS ? old : mask;
}

static void
issue(struct waits *waits, uint32_t at)
{
    const struct code *code = waits->code;

    for (uint32_t p = first_producer(code, at); p < producers_end(code, at); p++) {
        if (p != code->stack_load || !code->gains_load)
            pair_add_before(&waits->pair, p);
        if (p != code->stack_load || code->gains_load)
            pair_add_after(&waits->pair, p);
    }
}

/* What is pending at the end of a block, of what is pending where it begins. */
static void
pass_block(struct waits *waits, uint32_t block)
{
    memcpy(waits->passed, set_number(&waits->after, block),
           waits->after.words * sizeof *waits->passed);
    summary_pass(&waits->summaries[block], &waits->by_number, waits->passed);
}

/* The old scoreboards of what is pending where each block begins. */
static void
find_numbers_before(struct waits *waits)
{
    for (uint32_t b = 0; b < waits->code->block_count; b++)
        waits->numbers_before[b] =
            (uint8_t)numbers_of_set(set_number(&waits->before, b), &waits->by_number);
}

/* Is the same pending under both numberings where the block begins? */
static bool
begins_in_step(const struct waits *waits, uint32_t block)
{
    const uint64_t *after = set_number(&waits->after, block);
    uint32_t words = waits->after.words;

    return sets_are_equal(set_number(&waits->before, block), after, words) &&
           !sets_meet(after, waits->renumbered, words);
}

/* Is everything the same under both numberings, in the block and where it begins? */
static bool
is_in_step(const struct waits *waits, uint32_t block)
{
    const struct code *code = waits->code;

    if (code->is_guarded && waits->overdue[code->blocks[block].last])
        return false;
    return !set_meets_block(waits->renumbered, code, block) && begins_in_step(waits, block);
}

/* The same masks, without what nothing is pending on. */
static void
pass_in_step(struct waits *waits, uint32_t block)
{
    const struct code *code = waits->code;
    unsigned busy = waits->numbers_before[block];

    for (const struct code_event *event = event_from(code, code->blocks[block].first);
         event->at <= code->blocks[block].last; event++) {
        unsigned old = event->waits;
        waits->has_idle_bits |= (old & ~busy) != 0;
        waits->masks[event->at] =
            (uint8_t)((old == ALL_SCOREBOARDS ? old : old & busy) | waits->overdue[event->at]);
        busy = (busy & ~relied_waits(event)) | taken_by(event);
        spend(code, 1);
    }
    pass_block(waits, block);
}

/* The next instruction that waits, or has something to wait for, from this one on. */
static uint32_t
next_changing(const struct waits *waits, uint32_t from, uint32_t last)
{
    uint32_t next = next_event_at(waits->code, from);

    return next > last && from <= last && waits->overdue[last] ? last : next;
}

/* Once it is known what is pending where the block begins. */
static void
walk_through(struct waits *waits, uint32_t block)
{
    const struct code *code = waits->code;
    struct pending_pair *pair = &waits->pair;
    uint32_t i = code->blocks[block].first, last = code->blocks[block].last;

    waits->block = block;
    for (i = pair->ahead ? i : next_changing(waits, i, last); i <= last && !is_spent(code);
         i = pair->ahead ? i + 1 : next_changing(waits, i + 1, last)) {
        unsigned old = wait_mask(&code->instructions[i]), mask = new_mask(waits, i);
        waits->masks[i] = (uint8_t)mask;
        waits->has_more |= mask && !is_code_event(code, i);
        if (opcode_of(&code->instructions[i]) != OP_WARPSYNC) {
            pair_wait_before(pair, old);
            pair_wait_after(pair, mask);
        }
        issue(waits, i);
    }
}

static void
walk_out_of_step(struct waits *waits, uint32_t block)
{
    pair_begin(&waits->pair, set_number(&waits->before, block), set_number(&waits->after, block),
               waits->after.words);
    walk_through(waits, block);
    memset(waits->passed, 0, waits->after.words * sizeof *waits->passed);
    pending_note(&waits->pair.after, waits->passed);
}

/* What is pending under the old numbering, as pairs. */
static struct pairs_pending
pairs_of_pending(const struct waits *waits)
{
    const struct pending_pair *pair = &waits->pair;
    struct pairs_pending found = {0, 0};

    for (unsigned left = pair->before.busy; left; left &= left - 1) {
        unsigned number = (unsigned)__builtin_ctz(left);
        const struct producer_list *list = &pair->before.on[number];
        for (uint32_t i = 0; i < list->count; i++) {
            unsigned new = waits->numbers[list->at[i]];
            bool is_in_both = new == NO_SCOREBOARD || pair->holds[list->at[i]] & PENDING_AFTER;
            *(is_in_both ? &found.in_both : &found.in_old) |= pair_of(number, new);
        }
    }
    return found;
}

/* See paired_waits. */
static bool
walk_one_block(void *user, uint32_t block, struct pairs_pending *end)
{
    struct waits *waits = user;
    uint64_t *after = waits->passed;
    const uint64_t *before = set_number(&waits->before, block);

    if (waits->code->gains_load) /* which may be pending, and does not enter as it came */
        return false;
    if (!after) {
        pair_init(&waits->pair, waits->code, waits->numbers);
        waits->passed = after = producer_sets_new(waits->code, 1).at;
    }
    memcpy(after, before, waits->before.words * sizeof *after);
    if (waits->code->stack_load != NO_PRODUCER)
        set_drop(after, waits->code->stack_load);
    pair_begin(&waits->pair, before, after, waits->before.words);
    walk_through(waits, block);
    *end = pairs_of_pending(waits);
    return !waits->pair.ahead;
}

static void
walk_both(struct waits *waits, uint32_t block)
{
    uint32_t first = waits->code->blocks[block].first, last = waits->code->blocks[block].last;

    memset(waits->masks + first, 0, last - first + 1);
    if (is_in_step(waits, block))
        pass_in_step(waits, block);
    else
        walk_out_of_step(waits, block);
}

static void
enqueue(struct waits *waits, uint32_t block)
{
    if (waits->is_queued[block] || block >= waits->code->block_count)
        return;
    waits->is_queued[block] = 1;
    array_push(&waits->queue, waits->code->arena, block);
}

/* Walks through blocks until what is pending where they begin does not change. */
static bool
settle(struct waits *waits)
{
    const struct code *code = waits->code;
    const struct producer_sets *incoming = &waits->after;

    for (uint32_t b = code->block_count; b-- > 0;)
        enqueue(waits, b);
    while (waits->queue.count) {
        uint32_t b = waits->queue.at[--waits->queue.count];
        waits->is_queued[b] = 0;
        walk_both(waits, b);
        for (uint32_t s = 0; s < code->blocks[b].successor_count; s++) {
            uint32_t next = code->successors[code->blocks[b].first_successor + s];
            if (set_join(set_number(incoming, next), waits->passed, incoming->words))
                enqueue(waits, next);
        }
        spend(code, incoming->words);
        if (is_spent(code))
            return false;
    }
    return true;
}

/* Bits for which nothing was pending follow the producer that last had the scoreboard. */
static void
carry_idle_bits(struct waits *waits)
{
    const struct code *code = waits->code;
    uint8_t latest[SCOREBOARDS] = {0, 1, 2, 3, 4, 5};

    for (uint32_t b = 0; b < code->block_count; b++) {
        unsigned busy = waits->numbers_before[b];
        for (const struct code_event *event = event_from(code, code->blocks[b].first);
             event->at <= code->blocks[b].last; event++) {
            for (unsigned idle = event->waits & ~busy; idle; idle &= idle - 1)
                waits->masks[event->at] |= (uint8_t)(1u << latest[__builtin_ctz(idle)]);
            busy = (busy & ~relied_waits(event)) | taken_by(event);
            for (uint32_t p = event->first_producer; p < event[1].first_producer; p++)
                if (p != code->stack_load)
                    latest[code->numbers[p]] = waits->numbers[p];
        }
    }
}

/* Is the same pending under both numberings where control goes on behind what is looked at? */
static bool
are_exits_in_step(const struct waits *waits)
{
    const struct code *code = waits->code;

    for (uint32_t b = code->block_count; b < code->block_count + code->exit_count; b++)
        if (!begins_in_step(waits, b))
            return false;
    return true;
}

/* Where nothing is looked at, do waits stay what they are even if nothing is pending that they are for?
   They follow the producer that last had the scoreboard: see carry_idle_bits. */
static bool
keeps_idle_bits(const struct waits *waits)
{
    const struct code *code = waits->code;
    unsigned moved = 0; /* scoreboards whose last producer has another one now */

    for (uint32_t p = 0; p < code->producer_count; p++) {
        unsigned bit = 1u << code->numbers[p];
        if (p != code->stack_load)
            moved = waits->numbers[p] == code->numbers[p] ? moved & ~bit : moved | bit;
    }
    for (uint32_t i = code->count; moved && i < code->whole_count; i++) {
        struct instruction one = code->instructions[i];
        if (wait_mask(&one) & moved)
            return false;
        moved &= ~scoreboard_mask(&one);
    }
    return true;
}

static void
find_renumbered(struct waits *waits)
{
    const struct code *code = waits->code;

    for (uint32_t p = 0; p < code->producer_count; p++)
        if (waits->numbers[p] != code->numbers[p])
            set_add(waits->renumbered, p);
}

/* Mostly that is enough. */
static bool
find_by_pairs(struct waits *waits, const struct new_scoreboards *renewed, bool *is_in_step)
{
    struct paired_waits paired = {
        .masks = waits->masks,
        .numbers_before = waits->numbers_before,
        .walk = walk_one_block,
        .user = waits,
    };

    if (!allocate_paired_waits(waits->code, renewed, &paired))
        return false;
    waits->has_more |= paired.has_more;
    waits->has_idle_bits |= paired.has_idle_bits;
    *is_in_step = paired.are_exits_in_step;
    return true;
}

static bool
find_by_producers(struct waits *waits, const struct new_scoreboards *renewed, bool *is_in_step)
{
    const struct code *code = waits->code;
    uint32_t blocks = code->block_count + code->exit_count;

    if (!has_effort_for_sets(code, 2))
        return false;
    pair_init(&waits->pair, code, renewed->numbers);
    waits->after = producer_sets_new(code, (size_t)blocks + 2);
    waits->renumbered = set_number(&waits->after, blocks);
    waits->passed = waits->renumbered + waits->after.words;
    find_renumbered(waits);
    find_numbers_before(waits);
    if (!settle(waits))
        return false;
    *is_in_step = are_exits_in_step(waits);
    return true;
}

uint8_t *
allocate_waits(const struct code *code, struct new_scoreboards *renewed)
{
    size_t blocks = (size_t)code->block_count + code->exit_count;
    struct waits waits = {
        .code = code,
        .facts = renewed->facts,
        .numbers = renewed->numbers,
        .by_number = renewed->by_number,
        .before = renewed->entering,
        .numbers_before = arena_array(code->arena, blocks, 1),
        .is_queued = arena_array(code->arena, blocks, 1),
        .masks = arena_array(code->arena, code->count, 1),
        .overdue = renewed->overdue,
        .not_overdue = renewed->not_overdue,
        .summaries = renewed->summaries,
    };
    bool is_in_step;
    if (!find_by_pairs(&waits, renewed, &is_in_step) &&
        !find_by_producers(&waits, renewed, &is_in_step))
        return NULL;
    if (waits.has_idle_bits)
        carry_idle_bits(&waits);
    renewed->leaves_in_step &= is_in_step && keeps_idle_bits(&waits);
    renewed->has_more_waits = waits.has_more;
    return waits.masks;
}
