#include "schedule/guarantees.h"

#include "schedule/blocks.h"
#include "schedule/correspondence.h"
#include "schedule/producer_sets.h"

/*
 * Of one producer at one place: a set of the ways in which it may be pending there, by some path. A
 * wait of one text turns "in both" into "in the other alone".
 */
enum state {
    PENDING_IN_BOTH = 1,
    PENDING_IN_NEW = 2, /* the old text guarantees that it is done */
    PENDING_IN_OLD = 4,
    ALL_STATES = 7
};

/* Which texts wait for it. */
enum { OLD_WAITS = 1, NEW_WAITS = 2 };

static const uint8_t state_after[4][ALL_STATES + 1] = {
    [0] = {0, 1, 2, 3, 4, 5, 6, 7},
    [OLD_WAITS] = {0, 2, 2, 2, 0, 2, 2, 2},
    [NEW_WAITS] = {0, 4, 0, 4, 4, 4, 4, 4},
    [OLD_WAITS | NEW_WAITS] = {0},
};

/* What a block issues and leaves pending: a producer and its state. */
typedef uint32_t entry;
enum { STATE_BITS = 3 };

struct block_effect {
    uint32_t first_event, event_count;
    unsigned old_waits, new_waits; /* of all its instructions */
    bool is_queued;
    entry *issued; /* pending where it ends, of what it issues */
    uint32_t issued_count;
};

/* The producers that may be pending somewhere, a set for each state: words of one stand behind those
   of the other. */
enum { IN_BOTH, IN_NEW, IN_OLD, SETS_OF_STATES };

struct comparison {
    const struct code *code;
    struct common_event *events;   /* of both schedules, and one behind all */
    const uint8_t *old_numbers;    /* producer -> scoreboard */
    uint8_t *new_numbers;          /* NO_SCOREBOARD: nobody needs to wait for it */
    struct block_effect *effects;  /* by block */
    uint32_t queued;               /* blocks that are */
    struct producer_sets by_old;   /* by scoreboard of the old text */
    struct producer_sets by_new;   /* and of the new one */
    struct producer_sets incoming; /* states where blocks begin: SETS_OF_STATES for each */
    uint64_t *passed;              /* the same where a block ends */
    uint64_t *waited_for;          /* by the old text, by the new text: while a block is passed */
    uint64_t *renumbered;          /* other scoreboards in the new text */
    uint64_t *exempt;              /* of which the exemption was made use of */
    bool has_exempt;               /* any was */

    /* Where a walk has come to: states, and the producers that have one. */
    uint8_t *states;
    ARRAY(uint32_t) active;
    uint32_t new_only; /* how many of them may be pending in the new text alone */
    uint32_t end;      /* the last instruction of the block */
};

static unsigned
who_waits(const struct comparison *comparison, uint32_t producer, unsigned old_waits,
          unsigned new_waits)
{
    unsigned by_old = old_waits >> comparison->old_numbers[producer] & 1;
    unsigned by_new = new_waits >> comparison->new_numbers[producer] & 1;

    return by_old * OLD_WAITS | by_new * NEW_WAITS;
}

static bool
has_one_number(const struct comparison *comparison, uint32_t producer)
{
    return comparison->old_numbers[producer] == comparison->new_numbers[producer];
}

/* --- blocks as a whole -------------------------------------------------------------------------- */

/* What a block does to what is pending, found from its end: what comes later waits for it. */
static entry *
summarise(struct comparison *comparison, uint32_t block, entry *next)
{
    const struct code *code = comparison->code;
    struct block_effect *effect = &comparison->effects[block];
    uint32_t end = producers_end(code, code->blocks[block].last);
    unsigned old_waits = 0, new_waits = 0;

    effect->issued = next;
    for (uint32_t e = effect->first_event + effect->event_count; e-- > effect->first_event;) {
        const struct common_event *event = &comparison->events[e];
        for (; end > event->first_producer; end--) {
            uint32_t p = end - 1;
            unsigned waits = who_waits(comparison, p, old_waits, new_waits);
            unsigned state = state_after[waits][PENDING_IN_BOTH];
            *next = p << STATE_BITS | state;
            next += (state != 0) & (comparison->new_numbers[p] != NO_SCOREBOARD);
        }
        old_waits |= event->old_waits;
        new_waits |= event->new_waits;
    }
    effect->old_waits = old_waits;
    effect->new_waits = new_waits;
    effect->issued_count = (uint32_t)(next - effect->issued);
    return next;
}

static void
add_state(struct comparison *comparison, uint32_t producer, unsigned state)
{
    if (!comparison->states[producer])
        array_push(&comparison->active, comparison->code->arena, producer);
    comparison->states[producer] |= (uint8_t)state;
}

static void
clear_states(struct comparison *comparison)
{
    for (uint32_t i = 0; i < comparison->active.count; i++)
        comparison->states[comparison->active.at[i]] = 0;
    comparison->active.count = comparison->new_only = 0;
}

/* All that counts on the scoreboards of a mask. */
static void
find_waited_for(const struct producer_sets *by_number, unsigned mask, uint64_t *set)
{
    memset(set, 0, by_number->words * sizeof *set);
    for (; mask; mask &= mask - 1)
        set_join(set, set_number(by_number, (uint32_t)__builtin_ctz(mask)), by_number->words);
}

/* The states at the end of a block: those of state_after, for all producers at once. */
static void
pass_block(struct comparison *comparison, uint32_t block)
{
    const struct block_effect *effect = &comparison->effects[block];
    const uint32_t words = comparison->by_old.words;
    const uint64_t *restrict in = set_number(&comparison->incoming, block);
    uint64_t *restrict out = comparison->passed;
    uint64_t *restrict old = comparison->waited_for, *restrict new = old + words;

    find_waited_for(&comparison->by_old, effect->old_waits, old);
    find_waited_for(&comparison->by_new, effect->new_waits, new);
    for (uint32_t w = 0; w < words; w++) {
        uint64_t both = in[IN_BOTH * words + w];
        out[IN_BOTH * words + w] = both & ~old[w] & ~new[w];
        out[IN_NEW * words + w] = (in[IN_NEW * words + w] | (both & old[w])) & ~new[w];
        out[IN_OLD * words + w] = (in[IN_OLD * words + w] | (both & new[w])) & ~old[w];
    }
    for (uint32_t i = 0; i < effect->issued_count; i++) {
        uint32_t set = (uint32_t)__builtin_ctz(effect->issued[i] & ALL_STATES);
        set_add(out + (size_t)set * words, effect->issued[i] >> STATE_BITS);
    }
    spend(comparison->code, 1 + words + effect->issued_count);
}

static void
enqueue(struct comparison *comparison, uint32_t block)
{
    if (block >= comparison->code->block_count)
        return;
    comparison->queued += !comparison->effects[block].is_queued;
    comparison->effects[block].is_queued = true;
}

/* Adds the states at the end of a block to those where another begins. */
static void
merge_into(struct comparison *comparison, uint32_t block)
{
    const struct producer_sets *incoming = &comparison->incoming;

    spend(comparison->code, incoming->words / 2);
    if (set_join(set_number(incoming, block), comparison->passed, incoming->words))
        enqueue(comparison, block);
}

/* Passes blocks, in the order of the text, until what is pending where they begin does not change. */
static bool
settle(struct comparison *comparison)
{
    const struct code *code = comparison->code;

    for (uint32_t b = 0; b < code->block_count; b++)
        enqueue(comparison, b);
    for (; comparison->queued; spend(code, code->block_count))
        for (uint32_t b = 0; b < code->block_count; b++) {
            if (!comparison->effects[b].is_queued)
                continue;
            comparison->effects[b].is_queued = false;
            comparison->queued--;
            pass_block(comparison, b);
            for (uint32_t s = 0; s < code->blocks[b].successor_count; s++)
                merge_into(comparison, code->successors[code->blocks[b].first_successor + s]);
            if (is_spent(code))
                return false;
        }
    return true;
}

/* --- instruction by instruction ----------------------------------------------------------------- */

static void
apply_waits(struct comparison *comparison, const struct common_event *event)
{
    unsigned old_waits = event->old_waits, new_waits = event->new_waits;
    uint32_t left = 0;

    if (!old_waits && !new_waits)
        return;
    spend(comparison->code, comparison->active.count);
    comparison->new_only = 0;
    for (uint32_t i = 0; i < comparison->active.count; i++) {
        uint32_t producer = comparison->active.at[i];
        unsigned waits = who_waits(comparison, producer, old_waits, new_waits);
        unsigned state = state_after[waits][comparison->states[producer]];
        comparison->states[producer] = (uint8_t)state;
        comparison->new_only += (state & PENDING_IN_NEW) != 0;
        comparison->active.at[left] = producer;
        left += state != 0;
    }
    comparison->active.count = left;
}

/* More careful than conflicts(): alternatives count, and so do all registers that are read. */
static bool
may_conflict(const struct code *code, uint32_t producer, uint32_t at)
{
    const struct operands *first = operands_at(code, code->producers[producer].at);
    const struct operands *second = operands_at(code, at);

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
    unsigned number = field(word, 44, 3);
    unsigned waited_for = depbar_mask(&comparison->code->instructions[at]);

    if (waited_for)
        return waited_for == ALL_SCOREBOARDS;
    for (uint32_t i = 0; i < comparison->active.count; i++) {
        uint32_t producer = comparison->active.at[i];
        bool was_counted = comparison->old_numbers[producer] == number;
        bool is_counted = comparison->new_numbers[producer] == number;
        unsigned state = comparison->states[producer];
        if (state & (PENDING_IN_BOTH | PENDING_IN_NEW) &&
            (was_counted != is_counted || (is_counted && state & PENDING_IN_NEW)))
            return false;
    }
    return true;
}

/* Is the result of an instruction there, which it cannot be before the operands have been read? */
static bool
has_result(const struct comparison *comparison, uint32_t reader)
{
    const struct code *code = comparison->code;
    uint32_t writer = reader + 1;

    return code->producers[reader].reads &&
           writer < producers_end(code, code->producers[reader].at) &&
           comparison->new_numbers[writer] != NO_SCOREBOARD &&
           !(comparison->states[writer] & (PENDING_IN_BOTH | PENDING_IN_NEW));
}

/* Does the instruction order the producer? No other thread can have a part in loads of constants; but what is
   called may use their registers. */
static bool
orders(const struct code *code, uint32_t at, uint32_t producer)
{
    unsigned flags = traits_at(code, at)->flags;
    unsigned opcode = opcode_of(&code->instructions[code->producers[producer].at]);

    return flags & TOUCHES_ALL || (flags & SYNCHRONISES && opcode != OP_LDC && opcode != OP_LDCU);
}

/* Where something is pending in the new text alone: is the exemption for it? */
static bool
keeps_dependencies(struct comparison *comparison, uint32_t at)
{
    const struct code *code = comparison->code;

    spend(code, comparison->active.count);
    for (uint32_t i = 0; i < comparison->active.count; i++) {
        uint32_t producer = comparison->active.at[i];
        if (!(comparison->states[producer] & PENDING_IN_NEW) || has_result(comparison, producer))
            continue;
        if (orders(code, at, producer) || may_conflict(code, producer, at))
            return false;
        set_add(comparison->exempt, producer);
        comparison->has_exempt = true;
    }
    return true;
}

/* Those for which ends of blocks wait without need. */
static bool
is_soon_done(const struct code *code, uint32_t producer)
{
    return code->producers[producer].reads || producer_class(code, producer) == SHORT_LATENCY;
}

/*
 * What the old text says of the table of operands: a wait that no known register explains has a
 * reason that is not known; what it waits for must not be exempt. Two reasons are known: ends of blocks
 * wait for what should be done by then, and who takes a scoreboard waits for what counts on it.
 */
static bool
exempts_unexplained(struct comparison *comparison, const struct common_event *event)
{
    const struct code *code = comparison->code;
    uint32_t at = event->at;
    const uint8_t *numbers = comparison->old_numbers;
    bool is_end = at == comparison->end || opcode_of(&code->instructions[at]) == OP_BSYNC;
    unsigned left = event->old_waits & ~scoreboard_mask(&code->instructions[at]);
    unsigned exempt = 0;

    if (!left || transfers_control(&code->instructions[at]))
        return false;
    spend(code, comparison->active.count);
    for (uint32_t i = 0; i < comparison->active.count; i++) {
        uint32_t producer = comparison->active.at[i];
        unsigned bit = 1u << numbers[producer];
        if (!(comparison->states[producer] & (PENDING_IN_BOTH | PENDING_IN_OLD)) || !(left & bit))
            continue;
        if (!(is_end && is_soon_done(code, producer)) && set_holds(comparison->exempt, producer))
            exempt |= bit;
        if (conflicts(code, producer, at))
            left &= ~bit;
    }
    return exempt & left;
}

static const char *
compare_instruction(struct comparison *comparison, const struct common_event *event)
{
    apply_waits(comparison, event);
    if (event->is_depbar && !counts_the_same(comparison, event->at))
        return "a count of operations that would change";
    if (comparison->new_only && !keeps_dependencies(comparison, event->at))
        return "a dependency that would not be kept";
    return NULL;
}

/* Once it is known what was exempt. */
static const char *
check_exemptions(struct comparison *comparison, const struct common_event *event)
{
    bool exempts = exempts_unexplained(comparison, event);

    apply_waits(comparison, event);
    return exempts ? "a dependency that would not be kept" : NULL;
}

static void
issue(struct comparison *comparison, const struct common_event *event)
{
    for (uint32_t p = event->first_producer; p < event[1].first_producer; p++)
        if (comparison->new_numbers[p] != NO_SCOREBOARD)
            add_state(comparison, p, PENDING_IN_BOTH);
}

/* The states where a block begins, as a list. */
static void
begin_walk(struct comparison *comparison, uint32_t block)
{
    const uint32_t words = comparison->by_old.words;
    const uint64_t *in = set_number(&comparison->incoming, block);

    clear_states(comparison);
    for (uint32_t w = 0; w < words; w++) {
        uint64_t both = in[w], new = in[IN_NEW * words + w], old = in[IN_OLD * words + w];
        for (uint64_t left = both | new | old; left; left &= left - 1) {
            unsigned bit = (unsigned)__builtin_ctzll(left);
            comparison->new_only += new >> bit & 1;
            add_state(comparison, w * 64 + bit,
                      (unsigned)((both >> bit & 1) * PENDING_IN_BOTH |
                                 (new >> bit & 1) * PENDING_IN_NEW |
                                 (old >> bit & 1) * PENDING_IN_OLD));
        }
    }
    spend(comparison->code, 1 + words + comparison->active.count);
}

typedef const char *instruction_check(struct comparison *, const struct common_event *);

/* Once it is known what is pending where the block begins. */
static const char *
walk(struct comparison *comparison, uint32_t block, instruction_check *check)
{
    const struct code *code = comparison->code;
    const struct common_event *event = &comparison->events[comparison->effects[block].first_event];
    uint32_t last = code->blocks[block].last, at = code->blocks[block].first;

    begin_walk(comparison, block);
    comparison->end = last;
    for (;; at++) {
        at = comparison->new_only ? at : event->at;
        if (at > last || is_spent(code))
            return NULL;
        spend(code, 1);
        bool is_event = at == event->at;
        const struct common_event plain = {.at = at};
        const char *wrong = check(comparison, is_event ? event : &plain);
        if (wrong)
            return wrong;
        if (is_event)
            issue(comparison, event++);
    }
}

/* May any of a set be pending where the block begins? */
static bool
begins_with(const struct comparison *comparison, uint32_t block, const uint64_t *set)
{
    const uint32_t words = comparison->by_old.words;
    const uint64_t *in = set_number(&comparison->incoming, block);

    return sets_meet(in + (size_t)IN_BOTH * words, set, words) ||
           sets_meet(in + (size_t)IN_NEW * words, set, words) ||
           sets_meet(in + (size_t)IN_OLD * words, set, words);
}

/* Where it begins: can nothing be pending in the new text alone, as long as both are the same? */
static bool
begins_in_step(const struct comparison *comparison, uint32_t block)
{
    const uint32_t words = comparison->by_old.words;
    const uint64_t *new = set_number(&comparison->incoming, block) + (size_t)IN_NEW *words;

    return !sets_meet(new, new, words) && !begins_with(comparison, block, comparison->renumbered);
}

/* An atomic operation without a result is waited for by who takes its scoreboard: no order of memory
   depends on that. What a barrier has read are registers. */
static bool
concerns_registers_alone(const struct code *code, uint32_t producer)
{
    enum { BARRIER = 0x11d }; /* with operands of any kind */
    const struct producer *who = &code->producers[producer];
    const struct operands *operands = operands_at(code, who->at);

    if (operands->traits.flags & REGISTERS_ONLY)
        return true;
    if (who->reads)
        return (opcode_of(&code->instructions[who->at]) & 0x1ff) == BARRIER;
    return operands->traits.class == LONG_LATENCY && !operands->written_count;
}

/* What concerns more than registers must not be exempt. */
static bool
exempts_more_than_registers(const struct comparison *comparison)
{
    const struct code *code = comparison->code;

    for (uint32_t p = 0; p < code->producer_count; p++)
        if (set_holds(comparison->exempt, p) && !concerns_registers_alone(code, p))
            return true;
    return false;
}

/* May something that is exempt be pending in the block? */
static bool
concerns_exempt(const struct comparison *comparison, uint32_t block)
{
    return set_meets_block(comparison->exempt, comparison->code, block) ||
           begins_with(comparison, block, comparison->exempt);
}

/* Passes all blocks that need it: those where the schedules part, then those that have to do with what
   was exempt. */
static const char *
compare_blocks(struct comparison *comparison, const uint8_t *parts)
{
    const uint32_t count = comparison->code->block_count;
    const char *wrong = NULL;

    for (uint32_t b = 0; b < count && !wrong; b++)
        if (parts[b])
            wrong = walk(comparison, b, compare_instruction);
    if (wrong || !comparison->has_exempt)
        return wrong;
    if (exempts_more_than_registers(comparison))
        return "a dependency that would not be kept";
    for (uint32_t b = 0; b < count && !wrong; b++)
        if (concerns_exempt(comparison, b))
            wrong = walk(comparison, b, check_exemptions);
    return wrong;
}

static void
find_events(struct comparison *comparison)
{
    const struct code *code = comparison->code;
    const struct common_event *events = comparison->events;
    uint32_t next = 0;

    for (uint32_t b = 0; b < code->block_count; b++) {
        comparison->effects[b].first_event = next;
        while (events[next].at <= code->blocks[b].last)
            next++;
        comparison->effects[b].event_count = next - comparison->effects[b].first_event;
    }
}

static void
find_renumbered(struct comparison *comparison)
{
    for (uint32_t p = 0; p < comparison->code->producer_count; p++)
        if (!has_one_number(comparison, p))
            set_add(comparison->renumbered, p);
}

static void
open_sets(struct comparison *comparison)
{
    const struct code *code = comparison->code;
    size_t blocks = (size_t)code->block_count + code->exit_count;

    comparison->by_old = producers_by_number(code, comparison->old_numbers);
    comparison->by_new = producers_by_number(code, comparison->new_numbers);
    comparison->incoming = producer_sets_new(code, blocks * SETS_OF_STATES);
    comparison->incoming.words *= SETS_OF_STATES;
    comparison->passed = producer_sets_new(code, SETS_OF_STATES).at;
    comparison->waited_for = producer_sets_new(code, 2).at;
    comparison->renumbered = producer_sets_new(code, 1).at;
    comparison->exempt = producer_sets_new(code, 1).at;
    find_renumbered(comparison);
}

/* Both schedules as one list, and the new scoreboards of producers. */
static void
read_common_events(struct comparison *comparison, const struct schedules *schedules)
{
    const struct code *code = comparison->code;
    const struct code_event *event = code->events, *end = event + code->event_count;
    const struct difference *difference = schedules->differences;
    struct common_event *next = comparison->events;
    uint8_t *number = comparison->new_numbers;

    while (event < end || difference->at < code->count) {
        const struct code_event *old = event;
        *next = next_common(&event, &difference);
        *number = next->read;
        number += old != event && old->read != NO_SCOREBOARD;
        *number = next->write;
        number += old != event && old->write != NO_SCOREBOARD;
        next++;
    }
    *next = (struct common_event){.at = code->count, .first_producer = code->producer_count};
}

static void
open_comparison(struct comparison *comparison, const struct code *code,
                const struct schedules *schedules)
{
    size_t producers = (size_t)code->producer_count + 1;
    size_t events = (size_t)code->event_count + schedules->count + 1;
    entry *issued = arena_alloc(code->arena, producers * sizeof *issued);

    *comparison = (struct comparison){
        .code = code,
        .events = arena_alloc(code->arena, events * sizeof *comparison->events),
        .old_numbers = code->numbers,
        .new_numbers = arena_alloc(code->arena, producers),
        .effects = arena_array(code->arena, code->block_count, sizeof *comparison->effects),
        .states = arena_array(code->arena, producers, 1),
    };
    read_common_events(comparison, schedules);
    open_sets(comparison);
    find_events(comparison);
    for (uint32_t b = 0; b < code->block_count; b++)
        issued = summarise(comparison, b, issued);
}

/* Is there nothing to be checked behind what is looked at, where both texts are the same? */
static bool
leaves_in_step(const struct comparison *comparison)
{
    const struct code *code = comparison->code;

    for (uint32_t b = code->block_count; b < code->block_count + code->exit_count; b++)
        if (!begins_in_step(comparison, b) || begins_with(comparison, b, comparison->exempt))
            return false;
    return true;
}

const char *
find_broken_guarantee(const struct code *code, const struct schedules *schedules, bool *in_step)
{
    static const char spent[] = "too many operations under way at once";
    struct correspondence correspondence;
    struct comparison comparison;

    if (!find_correspondence(code, schedules, &correspondence))
        return spent;
    *in_step = correspondence.in_step;
    if (correspondence.is_complete)
        return NULL;
    if (!has_effort_for_sets(code, SETS_OF_STATES))
        return spent;
    open_comparison(&comparison, code, schedules);
    const char *wrong =
        settle(&comparison) ? compare_blocks(&comparison, correspondence.parts) : NULL;
    *in_step = leaves_in_step(&comparison);
    return !wrong && is_spent(code) ? spent : wrong;
}
