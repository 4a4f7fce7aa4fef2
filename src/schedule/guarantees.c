#include "schedule/guarantees.h"

#include "schedule/blocks.h"

/* Of one producer at one place, by some path that leads there. */
enum state {
    PENDING_IN_BOTH = 1,
    PENDING_IN_NEW = 2, /* the old text guarantees that it is done */
    IS_LISTED = 4       /* while lists are merged */
};

struct comparison {
    const struct code *code;
    struct schedule {
        const uint8_t *waits, *numbers;
    } old, new;
    uint8_t *is_strict; /* producer: nothing is exempt */

    /* Where a walk has come to: states, and the producers that have one. */
    uint8_t *states;
    ARRAY(uint32_t) active;
    uint32_t new_only; /* how many of them may be pending in the new text alone */

    uint32_t *next_event; /* instruction -> the next one that waits or issues, from it on */

    struct incoming {
        ARRAY(uint32_t) entries; /* producer * 4 + state */
    } * incoming;                /* block -> where it begins */
    ARRAY(uint32_t) queue;
    uint8_t *is_queued;

    enum { SETTLING, READING_OLD, COMPARING } phase;
    const char *reason;
};

static bool
refuse(struct comparison *comparison, const char *reason)
{
    comparison->reason = reason;
    return false;
}

static void
add_state(struct comparison *comparison, uint32_t producer, unsigned state)
{
    if (!comparison->states[producer])
        array_push(&comparison->active, comparison->code->arena, producer);
    comparison->states[producer] |= (uint8_t)state;
}

static void
load_states(struct comparison *comparison, uint32_t block)
{
    const struct incoming *incoming = &comparison->incoming[block];

    for (uint32_t i = 0; i < comparison->active.count; i++)
        comparison->states[comparison->active.at[i]] = 0;
    comparison->active.count = comparison->new_only = 0;
    for (uint32_t i = 0; i < incoming->entries.count; i++) {
        add_state(comparison, incoming->entries.at[i] / 4, incoming->entries.at[i] % 4);
        comparison->new_only += (incoming->entries.at[i] & PENDING_IN_NEW) != 0;
    }
}

static unsigned
state_after_wait(const struct comparison *comparison, uint32_t producer, uint32_t at)
{
    unsigned state = comparison->states[producer];
    bool is_done_in_old = comparison->old.waits[at] >> comparison->old.numbers[producer] & 1;

    if (comparison->new.waits[at] >> comparison->new.numbers[producer] & 1)
        return 0;
    return is_done_in_old && state ? PENDING_IN_NEW : state;
}

static void
apply_waits(struct comparison *comparison, uint32_t at)
{
    uint32_t left = 0;

    if (!comparison->old.waits[at] && !comparison->new.waits[at])
        return;
    comparison->new_only = 0;
    spend(comparison->code, comparison->active.count);
    for (uint32_t i = 0; i < comparison->active.count; i++) {
        uint32_t producer = comparison->active.at[i];
        unsigned state = state_after_wait(comparison, producer, at);
        comparison->states[producer] = (uint8_t)state;
        comparison->new_only += (state & PENDING_IN_NEW) != 0;
        if (state)
            comparison->active.at[left++] = producer;
    }
    comparison->active.count = left;
}

static void
issue(struct comparison *comparison, uint32_t at)
{
    const struct code *code = comparison->code;

    for (uint32_t p = code->first_producer[at]; p < producers_end(code, at); p++) {
        if (comparison->new.numbers[p] == NO_SCOREBOARD)
            continue;
        add_state(comparison, p, PENDING_IN_BOTH);
        spend(code, 1);
    }
}

/* --- what the old text says of the table of operands -------------------------------------------- */

/*
 * A wait that no known register explains has a reason that is not known; what it waits for is not
 * exempt. Two reasons are known: branches and exits wait for what should be done by then, and who
 * takes a scoreboard waits for what counts on it. Runs with the old text on both sides.
 */
static void
note_unexplained(struct comparison *comparison, uint32_t at)
{
    const struct code *code = comparison->code;
    unsigned explained = scoreboard_mask(&code->instructions[at]);
    unsigned mask = comparison->old.waits[at];

    if (!mask || transfers_control(&code->instructions[at]))
        return;
    spend(comparison->code, comparison->active.count);
    for (uint32_t i = 0; i < comparison->active.count; i++)
        if (conflicts(code, comparison->active.at[i], at))
            explained |= 1u << comparison->old.numbers[comparison->active.at[i]];
    for (uint32_t i = 0; i < comparison->active.count; i++)
        if (mask & ~explained & 1u << comparison->old.numbers[comparison->active.at[i]])
            comparison->is_strict[comparison->active.at[i]] = 1;
}

/* --- the comparison ----------------------------------------------------------------------------- */

/* More careful than conflicts(): alternatives count, and so do all registers that are read. */
static bool
may_conflict(const struct code *code, uint32_t producer, uint32_t at)
{
    const struct operands *first = &code->operands[code->producers[producer].at];
    const struct operands *second = &code->operands[at];

    if (!code->producers[producer].reads)
        return writes_what_is_read(first, second) || writes_the_same(first, second);
    if (!(first->read_sieve & second->written_sieve))
        return false;
    for (unsigned i = 0; i < first->read_count; i++)
        if (first->read[i].first < PREDICATES &&
            ranges_overlap(&first->read[i], 1, second->written, second->written_count))
            return true;
    return false;
}

/* DEPBAR counts down to a number of operations still under way: these must be the same. */
static bool
counts_the_same(const struct comparison *comparison, uint32_t at)
{
    uint64_t word = comparison->code->instructions[at].low;
    unsigned number = field(word, 44, 3), waited_for = field(word, 32, SCOREBOARDS);

    if (waited_for)
        return waited_for == ALL_SCOREBOARDS;
    for (uint32_t i = 0; i < comparison->active.count; i++) {
        uint32_t producer = comparison->active.at[i];
        bool was_counted = comparison->old.numbers[producer] == number;
        bool is_counted = comparison->new.numbers[producer] == number;
        if (was_counted != is_counted ||
            (is_counted && comparison->states[producer] & PENDING_IN_NEW))
            return false;
    }
    return true;
}

static bool
check_instruction(struct comparison *comparison, uint32_t at)
{
    const struct code *code = comparison->code;
    bool synchronises = code->operands[at].traits.flags & SYNCHRONISES;

    if (opcode_of(&code->instructions[at]) == OP_DEPBAR && !counts_the_same(comparison, at))
        return refuse(comparison, "a count of operations that would change");
    if (!comparison->new_only)
        return true;
    spend(comparison->code, comparison->active.count);
    for (uint32_t i = 0; i < comparison->active.count; i++) {
        uint32_t producer = comparison->active.at[i];
        if (!(comparison->states[producer] & PENDING_IN_NEW))
            continue;
        if (synchronises || comparison->is_strict[producer] || may_conflict(code, producer, at))
            return refuse(comparison, "a dependency that would not be kept");
    }
    return true;
}

/* --- all paths --------------------------------------------------------------------------------- */

/* The next instruction that may change or break something. */
static uint32_t
next_place(const struct comparison *comparison, uint32_t at)
{
    bool is_anywhere = comparison->phase == COMPARING && comparison->new_only;

    return is_anywhere ? at : comparison->next_event[at];
}

static bool
walk(struct comparison *comparison, uint32_t block)
{
    const struct code *code = comparison->code;
    uint32_t last = code->blocks[block].last;

    load_states(comparison, block);
    spend(code, 1 + comparison->active.count);
    for (uint32_t i = next_place(comparison, code->blocks[block].first);
         i <= last && !is_spent(code); i = next_place(comparison, i + 1)) {
        spend(code, 1);
        if (comparison->phase == READING_OLD)
            note_unexplained(comparison, i);
        apply_waits(comparison, i);
        if (comparison->phase == COMPARING && !check_instruction(comparison, i))
            return false;
        issue(comparison, i);
    }
    return true;
}

static void
enqueue(struct comparison *comparison, uint32_t block)
{
    if (comparison->is_queued[block])
        return;
    comparison->is_queued[block] = 1;
    array_push(&comparison->queue, comparison->code->arena, block);
}

/* Adds the states at the end of a walk to those where a block begins. */
static void
merge_into(struct comparison *comparison, uint32_t block)
{
    struct incoming *incoming = &comparison->incoming[block];
    const uint32_t count = incoming->entries.count;
    bool has_changed = false;

    for (uint32_t i = 0; i < count; i++)
        comparison->states[incoming->entries.at[i] / 4] |= IS_LISTED;
    for (uint32_t i = 0; i < comparison->active.count; i++) {
        uint32_t producer = comparison->active.at[i];
        unsigned state = comparison->states[producer] & 3u;
        if (!(comparison->states[producer] & IS_LISTED)) {
            array_push(&incoming->entries, comparison->code->arena, producer * 4 + state);
            has_changed = true;
        }
    }
    for (uint32_t i = 0; i < count; i++) {
        uint32_t producer = incoming->entries.at[i] / 4;
        unsigned joined = (comparison->states[producer] & 3u) | incoming->entries.at[i] % 4;
        has_changed |= joined != incoming->entries.at[i] % 4;
        incoming->entries.at[i] = producer * 4 + joined;
        comparison->states[producer] &= 3;
    }
    spend(comparison->code, count + comparison->active.count);
    if (has_changed)
        enqueue(comparison, block);
}

/* Walks until what is pending where blocks begin does not change. What is found broken on the way is
   broken: there is only ever more pending. */
static bool
settle(struct comparison *comparison)
{
    const struct code *code = comparison->code;

    for (uint32_t b = 0; b < code->block_count; b++)
        comparison->incoming[b].entries.count = 0;
    for (uint32_t b = code->block_count; b-- > 0;)
        enqueue(comparison, b);
    while (comparison->queue.count) {
        uint32_t b = comparison->queue.at[--comparison->queue.count];
        comparison->is_queued[b] = 0;
        if (!walk(comparison, b))
            return false;
        for (uint32_t s = 0; s < code->blocks[b].successor_count; s++)
            merge_into(comparison, code->successors[code->blocks[b].first_successor + s]);
        if (is_spent(code))
            return refuse(comparison, "too many operations under way at once");
    }
    return true;
}

/* Once what is pending in the old text is known. */
static void
read_old(struct comparison *comparison)
{
    comparison->phase = READING_OLD;
    for (uint32_t b = 0; b < comparison->code->block_count; b++)
        walk(comparison, b);
}

/* DEPBAR is one, too: it is looked at even if nothing waits there. */
static void
find_places(struct comparison *comparison, const struct schedules *schedules)
{
    const struct code *code = comparison->code;
    uint32_t next = code->count;

    comparison->next_event = arena_alloc(code->arena, ((size_t)code->count + 1) * sizeof next);
    comparison->next_event[code->count] = next;
    for (uint32_t i = code->count; i-- > 0;) {
        bool issues = code->first_producer[i] != producers_end(code, i);
        if (schedules->old_waits[i] || schedules->new_waits[i] || issues ||
            opcode_of(&code->instructions[i]) == OP_DEPBAR)
            next = i;
        comparison->next_event[i] = next;
    }
}

static void
open_comparison(struct comparison *comparison, const struct code *code)
{
    *comparison = (struct comparison){
        .code = code,
        .is_strict = arena_array(code->arena, (size_t)code->producer_count + 1, 1),
        .states = arena_array(code->arena, (size_t)code->producer_count + 1, 1),
        .incoming = arena_array(code->arena, code->block_count, sizeof(struct incoming)),
        .is_queued = arena_array(code->arena, code->block_count, 1),
    };
    for (uint32_t p = 0; p < code->producer_count; p++)
        comparison->is_strict[p] =
            !(code->operands[code->producers[p].at].traits.flags & REGISTERS_ONLY);
}

const char *
find_broken_guarantee(const struct code *code, const struct schedules *schedules)
{
    struct schedule old = {schedules->old_waits, schedules->old_numbers};
    struct comparison comparison;

    open_comparison(&comparison, code);
    find_places(&comparison, schedules);
    comparison.old = comparison.new = old;
    if (!settle(&comparison))
        return comparison.reason;
    read_old(&comparison);
    comparison.new = (struct schedule){schedules->new_waits, schedules->new_numbers};
    comparison.phase = COMPARING;
    settle(&comparison);
    return comparison.reason;
}
