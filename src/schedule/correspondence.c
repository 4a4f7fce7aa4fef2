#include "schedule/correspondence.h"

#include "schedule/pairs.h"

/* What may be pending somewhere, in both schedules and in one alone. */
struct place {
    pairs in_both, in_new, in_old;
};

struct walk {
    const struct code *code;
    const struct schedules *schedules;
    struct place *begins;          /* by block, also of those that are not looked at */
    uint8_t *is_known;             /* block -> it was passed with what is there */
    uint8_t *parts;                /* see correspondence */
    const uint32_t **first_events; /* of blocks */
};

static void
pass_waits(struct place *place, unsigned old_waits, unsigned new_waits)
{
    pairs by_old = pairs_of_old(old_waits), by_new = pairs_of_new(new_waits);

    place->in_new = (place->in_new | (place->in_both & by_old)) & ~by_new;
    place->in_old = (place->in_old | (place->in_both & by_new)) & ~by_old;
    place->in_both &= ~(by_old | by_new);
}

/* DEPBAR counts what is on a scoreboard: that must be the same. */
static bool
counts_the_same(const struct place *place, const struct instruction *instruction)
{
    unsigned number = field(instruction->low, 44, 3);

    if (depbar_mask(instruction))
        return depbar_mask(instruction) == ALL_SCOREBOARDS;
    return !place->in_new &&
           !(place->in_both & (pairs_of_old(1u << number) ^ pairs_of_new(1u << number)));
}

/* Passes a block, from its first event on; returns the event behind it. */
static const uint32_t *
pass_block(const struct walk *walk, uint32_t block, struct place *place)
{
    const struct code *code = walk->code;
    const struct schedules schedules = *walk->schedules;
    const uint32_t *event = walk->first_events[block];
    pairs in_new = place->in_new;
    bool counts_others = false;

    for (; *event <= code->blocks[block].last; event++) {
        uint32_t at = *event;

        if (schedules.old_waits[at] | schedules.new_waits[at]) {
            pass_waits(place, schedules.old_waits[at], schedules.new_waits[at]);
            in_new |= place->in_new;
        }
        if (opcode_of(&code->instructions[at]) == OP_DEPBAR)
            counts_others |= !counts_the_same(place, &code->instructions[at]);
        for (uint32_t p = code->first_producer[at]; p < producers_end(code, at); p++)
            if (schedules.new_numbers[p] != NO_SCOREBOARD)
                place->in_both |= pair_of(schedules.old_numbers[p], schedules.new_numbers[p]);
    }
    walk->parts[block] = in_new || counts_others;
    return event;
}

/* Adds what is pending at the end of a block to what is where another begins; true if that is new. */
static bool
join(struct place *begin, const struct place *end)
{
    bool is_new = (end->in_both & ~begin->in_both) | (end->in_new & ~begin->in_new) |
                  (end->in_old & ~begin->in_old);

    begin->in_both |= end->in_both;
    begin->in_new |= end->in_new;
    begin->in_old |= end->in_old;
    return is_new;
}

/* The first of a block's successors that has to be passed again, or `next`. */
static uint32_t
join_successors(const struct walk *walk, const struct block *block, const struct place *end,
                uint32_t next)
{
    for (uint32_t s = 0; s < block->successor_count; s++) {
        uint32_t to = walk->code->successors[block->first_successor + s];
        if (!join(&walk->begins[to], end))
            continue;
        walk->is_known[to] = 0;
        if (to < next)
            next = to;
    }
    return next;
}

/* Passes blocks in the order of the text until nothing changes; false if it is too much work. */
static bool
pass_blocks(const struct walk *walk)
{
    const struct code *code = walk->code;

    walk->first_events[0] = walk->schedules->events;
    for (uint32_t b = 0, next; b < code->block_count && !is_spent(code); b = next) {
        struct place place = walk->begins[b];

        next = b + 1;
        if (walk->is_known[b])
            continue;
        walk->is_known[b] = 1;
        walk->first_events[b + 1] = pass_block(walk, b, &place);
        spend(code, 1 + code->blocks[b].successor_count);
        next = join_successors(walk, &code->blocks[b], &place, next);
    }
    return !is_spent(code);
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
find_correspondence(const struct code *code, const struct schedules *schedules,
                    struct correspondence *correspondence)
{
    size_t blocks = (size_t)code->block_count + code->exit_count;
    struct walk walk = {
        .code = code,
        .schedules = schedules,
        .begins = arena_array(code->arena, blocks, sizeof *walk.begins),
        .is_known = arena_array(code->arena, blocks, 1),
        .parts = arena_array(code->arena, code->block_count, 1),
        .first_events =
            arena_alloc(code->arena, ((size_t)code->block_count + 1) * sizeof *walk.first_events),
    };

    if (!pass_blocks(&walk))
        return false;
    *correspondence = (struct correspondence){
        .is_complete = !memchr(walk.parts, 1, code->block_count),
        .in_step = leaves_in_step(&walk),
        .parts = walk.parts,
    };
    return true;
}
