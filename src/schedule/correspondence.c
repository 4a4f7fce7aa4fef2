#include "schedule/correspondence.h"

/* A bit for each pair: eight for the new scoreboards, for each of the old ones. */
typedef uint64_t pairs;

#define SAME_SCOREBOARDS ((pairs)0x8040201008040201)
#define ONE_OF_EACH ((pairs)0x0101010101010101)

static pairs
pair_of(unsigned old, unsigned new)
{
    return (pairs)1 << (old * 8 + new);
}

static pairs
pairs_of_new(unsigned mask)
{
    return mask * ONE_OF_EACH;
}

/* Each bit of the mask becomes eight. */
static pairs
pairs_of_old(unsigned mask)
{
    pairs apart = pairs_of_new(mask) & SAME_SCOREBOARDS;

    return ((apart + 0x7f * ONE_OF_EACH) >> 7 & ONE_OF_EACH) * 0xff;
}

/* What may be pending somewhere, in both schedules and in the old one alone. */
struct place {
    pairs in_both, in_old;
};

struct walk {
    const struct code *code;
    const struct schedules *schedules;
    struct place *begins; /* by block, also of those that are not looked at */
    uint8_t *is_known;    /* block -> it was passed with what is there */
};

/* Passes the waits of an instruction; false if the old schedule waits for more. */
static bool
pass_waits(struct place *place, unsigned old_waits, unsigned new_waits)
{
    pairs by_old = pairs_of_old(old_waits), by_new = pairs_of_new(new_waits);

    if (place->in_both & by_old & ~by_new)
        return false;
    place->in_old = (place->in_old | (place->in_both & by_new)) & ~by_old;
    place->in_both &= ~by_new;
    return true;
}

/* DEPBAR counts what is on a scoreboard: that must be the same. */
static bool
counts_the_same(const struct place *place, const struct instruction *instruction)
{
    unsigned number = field(instruction->low, 44, 3);

    if (depbar_mask(instruction))
        return depbar_mask(instruction) == ALL_SCOREBOARDS;
    return !(place->in_both & (pairs_of_old(1u << number) ^ pairs_of_new(1u << number)));
}

/* Passes a block, from its first event on; the event behind it, or NULL if the schedules part. */
static const uint32_t *
pass_block(const struct walk *walk, const uint32_t *event, uint32_t last, struct place *place)
{
    const struct code *code = walk->code;
    const struct schedules schedules = *walk->schedules;

    for (; *event <= last; event++) {
        uint32_t at = *event;
        bool counts = opcode_of(&code->instructions[at]) == OP_DEPBAR;

        if (!pass_waits(place, schedules.old_waits[at], schedules.new_waits[at]) ||
            (counts && !counts_the_same(place, &code->instructions[at])))
            return NULL;
        for (uint32_t p = code->first_producer[at]; p < producers_end(code, at); p++)
            if (schedules.new_numbers[p] != NO_SCOREBOARD)
                place->in_both |= pair_of(schedules.old_numbers[p], schedules.new_numbers[p]);
    }
    return event;
}

/* Adds what is pending at the end of a block to what is where others begin; the first of them that has
   to be passed again, or `next`. */
static uint32_t
join_successors(const struct walk *walk, const struct block *block, struct place end, uint32_t next)
{
    for (uint32_t s = 0; s < block->successor_count; s++) {
        uint32_t to = walk->code->successors[block->first_successor + s];
        struct place *begin = &walk->begins[to];
        bool is_new = (end.in_both & ~begin->in_both) | (end.in_old & ~begin->in_old);

        begin->in_both |= end.in_both;
        begin->in_old |= end.in_old;
        if (!is_new)
            continue;
        walk->is_known[to] = 0;
        if (to < next)
            next = to;
    }
    return next;
}

/* Passes blocks in the order of the text until nothing changes. */
static bool
pass_blocks(const struct walk *walk, const uint32_t **first_events)
{
    const struct code *code = walk->code;

    first_events[0] = walk->schedules->events;
    for (uint32_t b = 0, next; b < code->block_count; b = next) {
        const struct block *block = &code->blocks[b];
        struct place place = walk->begins[b];

        next = b + 1;
        if (walk->is_known[b])
            continue;
        walk->is_known[b] = 1;
        first_events[b + 1] = pass_block(walk, first_events[b], block->last, &place);
        spend(code, 1 + block->successor_count);
        if (!first_events[b + 1] || is_spent(code))
            return false;
        next = join_successors(walk, block, place, next);
    }
    return true;
}

static bool
leaves_in_step(const struct walk *walk)
{
    const struct code *code = walk->code;
    pairs pending = 0;

    for (uint32_t b = code->block_count; b < code->block_count + code->exit_count; b++)
        pending |= walk->begins[b].in_both | walk->begins[b].in_old;
    return !(pending & ~SAME_SCOREBOARDS);
}

bool
schedules_correspond(const struct code *code, const struct schedules *schedules, bool *in_step)
{
    size_t blocks = (size_t)code->block_count + code->exit_count;
    struct walk walk = {
        .code = code,
        .schedules = schedules,
        .begins = arena_array(code->arena, blocks, sizeof *walk.begins),
        .is_known = arena_array(code->arena, blocks, 1),
    };
    const uint32_t **first_events =
        arena_alloc(code->arena, ((size_t)code->block_count + 1) * sizeof *first_events);

    if (!pass_blocks(&walk, first_events))
        return false;
    *in_step = leaves_in_step(&walk);
    return true;
}
