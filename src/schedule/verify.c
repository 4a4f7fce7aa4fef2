#include "schedule/verify.h"

#include "schedule/code.h"

/* Of one producer at one place, by some path that leads there. */
enum state {
    PENDING_IN_BOTH = 1,
    PENDING_IN_NEW = 2, /* the old text guarantees that it is done */
    IS_LISTED = 4       /* while lists are merged */
};

struct verification {
    const struct code *code;
    const uint8_t *old_waits, *new_waits;     /* instruction -> mask */
    const uint8_t *old_numbers, *new_numbers; /* producer -> scoreboard */
    uint8_t *is_strict;                       /* producer: nothing is exempt */

    /* Where a walk has come to: states, and the producers that have one. */
    uint8_t *states;
    ARRAY(uint32_t) active;

    struct incoming {
        ARRAY(uint32_t) entries; /* producer * 4 + state */
    } * incoming;                /* block -> where it begins */
    ARRAY(uint32_t) queue;
    uint8_t *is_queued;

    enum { SETTLING, READING_OLD, COMPARING } phase;
    const char *reason;
    uint64_t work;
};

static bool
refuse(struct verification *verification, const char *reason)
{
    verification->reason = reason;
    return false;
}

static void
add_state(struct verification *verification, uint32_t producer, unsigned state)
{
    if (!verification->states[producer])
        array_push(&verification->active, verification->code->arena, producer);
    verification->states[producer] |= (uint8_t)state;
}

static void
load_states(struct verification *verification, uint32_t block)
{
    const struct incoming *incoming = &verification->incoming[block];

    for (uint32_t i = 0; i < verification->active.count; i++)
        verification->states[verification->active.at[i]] = 0;
    verification->active.count = 0;
    for (uint32_t i = 0; i < incoming->entries.count; i++)
        add_state(verification, incoming->entries.at[i] / 4, incoming->entries.at[i] % 4);
}

static unsigned
state_after_wait(const struct verification *verification, uint32_t producer, uint32_t at)
{
    unsigned state = verification->states[producer];
    bool is_done_in_old = verification->old_waits[at] >> verification->old_numbers[producer] & 1;

    if (verification->new_waits[at] >> verification->new_numbers[producer] & 1)
        return 0;
    return is_done_in_old && state ? PENDING_IN_NEW : state;
}

static void
apply_waits(struct verification *verification, uint32_t at)
{
    uint32_t left = 0;

    if (!verification->old_waits[at] && !verification->new_waits[at])
        return;
    verification->work += verification->active.count;
    for (uint32_t i = 0; i < verification->active.count; i++) {
        uint32_t producer = verification->active.at[i];
        unsigned state = state_after_wait(verification, producer, at);
        verification->states[producer] = (uint8_t)state;
        if (state)
            verification->active.at[left++] = producer;
    }
    verification->active.count = left;
}

/* An instruction that is issued again is pending in both, whatever was before. */
static void
issue(struct verification *verification, uint32_t at)
{
    const struct code *code = verification->code;

    for (uint32_t p = code->first_producer[at]; p < producers_end(code, at); p++) {
        if (verification->new_numbers[p] == NO_SCOREBOARD)
            continue;
        add_state(verification, p, PENDING_IN_BOTH);
        verification->states[p] = PENDING_IN_BOTH;
        verification->work++;
    }
}

/* --- what the old text says of the table of operands -------------------------------------------- */

/*
 * A wait in the middle of a block that no known register explains has a reason that is not known;
 * what it waits for is not exempt. Runs with the old text on both sides.
 */
static void
note_unexplained(struct verification *verification, uint32_t at)
{
    const struct code *code = verification->code;
    unsigned explained = 0, mask = verification->old_waits[at];

    if (!mask || at == code->blocks[code->block_of[at]].last)
        return;
    verification->work += verification->active.count;
    for (uint32_t i = 0; i < verification->active.count; i++)
        if (conflicts(code, verification->active.at[i], at))
            explained |= 1u << verification->old_numbers[verification->active.at[i]];
    for (uint32_t i = 0; i < verification->active.count; i++)
        if (mask & ~explained & 1u << verification->old_numbers[verification->active.at[i]])
            verification->is_strict[verification->active.at[i]] = 1;
}

/* --- the comparison ----------------------------------------------------------------------------- */

/* More careful than conflicts(): alternatives count, and so do all registers that are read. */
static bool
may_conflict(const struct code *code, uint32_t producer, uint32_t at)
{
    const struct operands *first = &code->operands[code->producers[producer].at];
    const struct operands *second = &code->operands[at];

    if (!code->producers[producer].reads)
        return ranges_overlap(first->written, first->written_count, second->read,
                              second->read_count) ||
               ranges_overlap(first->written, first->written_count, second->written,
                              second->written_count);
    for (unsigned i = 0; i < first->read_count; i++)
        if (first->read[i].first < PREDICATES &&
            ranges_overlap(&first->read[i], 1, second->written, second->written_count))
            return true;
    return false;
}

/* DEPBAR counts down to a number of operations still under way: these must be the same. */
static bool
counts_the_same(const struct verification *verification, uint32_t at)
{
    unsigned number = field(verification->code->instructions[at].low, 44, 3);

    for (uint32_t i = 0; i < verification->active.count; i++) {
        uint32_t producer = verification->active.at[i];
        bool was_counted = verification->old_numbers[producer] == number;
        bool is_counted = verification->new_numbers[producer] == number;
        if (was_counted != is_counted ||
            (is_counted && verification->states[producer] & PENDING_IN_NEW))
            return false;
    }
    return true;
}

static bool
check_instruction(struct verification *verification, uint32_t at)
{
    const struct code *code = verification->code;
    bool synchronises = code->operands[at].flags & SYNCHRONISES;

    if (opcode_of(&code->instructions[at]) == OP_DEPBAR && !counts_the_same(verification, at))
        return refuse(verification, "a count of operations that would change");
    verification->work += verification->active.count;
    for (uint32_t i = 0; i < verification->active.count; i++) {
        uint32_t producer = verification->active.at[i];
        if (!(verification->states[producer] & PENDING_IN_NEW))
            continue;
        if (synchronises || verification->is_strict[producer] || may_conflict(code, producer, at))
            return refuse(verification, "a dependency that would not be kept");
    }
    return true;
}

/* --- all paths --------------------------------------------------------------------------------- */

static bool
walk(struct verification *verification, uint32_t block)
{
    const struct code *code = verification->code;

    load_states(verification, block);
    for (uint32_t i = code->blocks[block].first; i <= code->blocks[block].last; i++) {
        if (verification->phase == READING_OLD)
            note_unexplained(verification, i);
        apply_waits(verification, i);
        if (verification->phase == COMPARING && !check_instruction(verification, i))
            return false;
        issue(verification, i);
    }
    return true;
}

static void
enqueue(struct verification *verification, uint32_t block)
{
    if (verification->is_queued[block])
        return;
    verification->is_queued[block] = 1;
    array_push(&verification->queue, verification->code->arena, block);
}

/* Adds the states at the end of a walk to those where a block begins. */
static void
merge_into(struct verification *verification, uint32_t block)
{
    struct incoming *incoming = &verification->incoming[block];
    const uint32_t count = incoming->entries.count;
    bool has_changed = false;

    for (uint32_t i = 0; i < count; i++)
        verification->states[incoming->entries.at[i] / 4] |= IS_LISTED;
    for (uint32_t i = 0; i < verification->active.count; i++) {
        uint32_t producer = verification->active.at[i];
        unsigned state = verification->states[producer] & 3u;
        if (!(verification->states[producer] & IS_LISTED)) {
            array_push(&incoming->entries, verification->code->arena, producer * 4 + state);
            has_changed = true;
        }
    }
    for (uint32_t i = 0; i < count; i++) {
        uint32_t producer = incoming->entries.at[i] / 4;
        unsigned joined = (verification->states[producer] & 3u) | incoming->entries.at[i] % 4;
        has_changed |= joined != incoming->entries.at[i] % 4;
        incoming->entries.at[i] = producer * 4 + joined;
        verification->states[producer] &= 3;
    }
    verification->work += count + verification->active.count;
    if (has_changed)
        enqueue(verification, block);
}

static bool
is_too_much(const struct verification *verification)
{
    return verification->work > 1000000 + 2000 * (uint64_t)verification->code->count;
}

/* Finds what is pending where blocks begin, then walks through each once more for the phase. */
static bool
run(struct verification *verification, unsigned phase)
{
    const struct code *code = verification->code;

    verification->phase = SETTLING;
    for (uint32_t b = 0; b < code->block_count; b++)
        verification->incoming[b].entries.count = 0;
    for (uint32_t b = code->block_count; b-- > 0;)
        enqueue(verification, b);
    while (verification->queue.count) {
        uint32_t b = verification->queue.at[--verification->queue.count];
        verification->is_queued[b] = 0;
        walk(verification, b);
        for (uint32_t s = 0; s < code->blocks[b].successor_count; s++)
            merge_into(verification, code->successors[code->blocks[b].first_successor + s]);
        verification->work += code->blocks[b].last - code->blocks[b].first;
        if (is_too_much(verification))
            return refuse(verification, "too many operations under way at once");
    }
    verification->phase = phase;
    for (uint32_t b = 0; b < code->block_count; b++) {
        if (!walk(verification, b))
            return false;
        if (is_too_much(verification))
            return refuse(verification, "too many operations under way at once");
    }
    return true;
}

/* --- the words ---------------------------------------------------------------------------------- */

static bool
touches_stack_pointer(const struct code *code)
{
    static const struct register_range stack_pointer = {1, 1};

    for (uint32_t i = 1; i < code->count; i++) {
        const struct operands *operands = &code->operands[i];
        if (ranges_overlap(&stack_pointer, 1, operands->read, operands->read_count) ||
            ranges_overlap(&stack_pointer, 1, operands->written, operands->written_count))
            return true;
    }
    return false;
}

/* Only scoreboards may differ, and none may come or go but that of R1's load, if nobody uses it. */
static bool
words_agree(struct verification *verification, struct bytes rewritten, uint8_t *new_waits,
            uint8_t *new_numbers)
{
    const struct code *code = verification->code;

    if (rewritten.size != (size_t)code->count * INSTRUCTION_SIZE)
        return refuse(verification, "a text of another size");
    for (uint32_t i = 0; i < code->count; i++) {
        struct instruction new = read_instruction(rewritten.at + (size_t)i * INSTRUCTION_SIZE);
        const struct instruction *old = &code->instructions[i];
        uint32_t p = code->first_producer[i];
        if (new.low != old->low || (new.high ^ old->high) & ~SCOREBOARD_BITS)
            return refuse(verification, "code that differs in more than scoreboards");
        new_waits[i] = (uint8_t)wait_mask(&new);
        if ((read_scoreboard(&new) < SCOREBOARDS) != (read_scoreboard(old) < SCOREBOARDS))
            return refuse(verification, "a scoreboard that would come or go");
        if (read_scoreboard(old) < SCOREBOARDS)
            new_numbers[p++] = (uint8_t)read_scoreboard(&new);
        if (p < producers_end(code, i))
            new_numbers[p] = (uint8_t)write_scoreboard(&new);
        bool had = write_scoreboard(old) != NO_SCOREBOARD;
        bool has = write_scoreboard(&new) != NO_SCOREBOARD;
        if (write_scoreboard(&new) == SCOREBOARDS)
            return refuse(verification, "a scoreboard that does not exist");
        if (had != has && (has || p != code->stack_load || touches_stack_pointer(code)))
            return refuse(verification, "a scoreboard that would come or go");
    }
    return true;
}

static void
open_verification(struct verification *verification, const struct code *code)
{
    uint8_t *old_waits = arena_array(code->arena, code->count, 1);

    for (uint32_t i = 0; i < code->count; i++)
        old_waits[i] = (uint8_t)wait_mask(&code->instructions[i]);
    *verification = (struct verification){
        .code = code,
        .old_waits = old_waits,
        .new_waits = old_waits,
        .old_numbers = code->numbers,
        .new_numbers = code->numbers,
        .is_strict = arena_array(code->arena, (size_t)code->producer_count + 1, 1),
        .states = arena_array(code->arena, (size_t)code->producer_count + 1, 1),
        .incoming = arena_array(code->arena, code->block_count, sizeof(struct incoming)),
        .is_queued = arena_array(code->arena, code->block_count, 1),
    };
    for (uint32_t p = 0; p < code->producer_count; p++)
        verification->is_strict[p] =
            !(code->operands[code->producers[p].at].flags & REGISTERS_ONLY);
}

bool
schedule_holds(const struct leaf_kernel *kernel, struct bytes rewritten, struct arena *arena,
               const char **reason)
{
    struct code code;
    struct verification verification;

    if (!code_open(&code, kernel, COLLECTIVES_BRANCH, arena, reason))
        return false;
    open_verification(&verification, &code);
    uint8_t *new_waits = arena_array(arena, code.count, 1);
    uint8_t *new_numbers = arena_array(arena, (size_t)code.producer_count + 1, 1);
    bool holds = words_agree(&verification, rewritten, new_waits, new_numbers) &&
                 run(&verification, READING_OLD);
    verification.new_waits = new_waits;
    verification.new_numbers = new_numbers;
    holds = holds && run(&verification, COMPARING);
    *reason = verification.reason;
    return holds;
}
