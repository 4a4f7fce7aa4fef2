#include "schedule/correspondence.h"

#include "schedule/pairs.h"

/* What may be pending somewhere, in both schedules and in one alone. */
struct place {
    pairs in_both, in_new, in_old;
};

struct walk {
    const struct code *code;
    const struct schedules *schedules;
    struct place *begins;                  /* by block, also of those that are not looked at */
    uint8_t *is_known;                     /* block -> it was passed with what is there */
    uint8_t *parts;                        /* see correspondence */
    const struct difference **differences; /* block -> the first from its begin on; one more */
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

static void
issue(struct place *place, unsigned old, unsigned new)
{
    if (old != NO_SCOREBOARD && new != NO_SCOREBOARD)
        place->in_both |= pair_of(old, new);
}

/* Passes a block. */
static void
pass_block(const struct walk *walk, uint32_t block, struct place *place)
{
    const struct code *code = walk->code;
    const struct code_event *event = event_from(code, code->blocks[block].first), *old = event;
    const struct difference *difference = walk->differences[block];
    pairs in_new = place->in_new;
    bool counts_others = false;

    for (struct common_event one;
         (one = next_common(&event, &difference)).at <= code->blocks[block].last; old = event) {
        if (one.old_waits | one.new_waits) {
            pass_waits(place, one.old_waits, one.new_waits);
            in_new |= place->in_new;
        }
        if (one.is_depbar)
            counts_others |= !counts_the_same(place, &code->instructions[one.at]);
        if (old != event) {
            issue(place, old->read, one.read);
            issue(place, old->write, one.write);
        }
    }
    walk->parts[block] = in_new || counts_others;
}

/* Of a block without differences, where the same is pending under both schedules: it stays so. False if
   something in it counts. */
static bool
pass_in_step(const struct walk *walk, uint32_t block, struct place *place)
{
    const struct code *code = walk->code;
    const struct code_event *event = event_from(code, code->blocks[block].first);
    unsigned busy = all_old(place->in_both), marks = 0;

    if (walk->differences[block] != walk->differences[block + 1] || place->in_new ||
        place->in_old || place->in_both & ~SAME_SCOREBOARDS)
        return false;
    for (; event->at <= code->blocks[block].last; event++) {
        busy = (busy & ~(unsigned)event->waits) | taken_by(event);
        marks |= event->marks;
    }
    place->in_both = pairs_of_old(busy) & SAME_SCOREBOARDS;
    return !(marks & IS_DEPBAR);
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

    for (uint32_t b = 0, next; b < code->block_count && !is_spent(code); b = next) {
        struct place place = walk->begins[b];

        next = b + 1;
        if (walk->is_known[b])
            continue;
        walk->is_known[b] = 1;
        if (!pass_in_step(walk, b, &place)) {
            place = walk->begins[b];
            pass_block(walk, b, &place);
        }
        spend(code, 1 + code->blocks[b].successor_count);
        next = join_successors(walk, &code->blocks[b], &place, next);
    }
    return !is_spent(code);
}

static void
find_differences(struct walk *walk)
{
    const struct code *code = walk->code;
    const struct difference *next = walk->schedules->differences;

    for (uint32_t b = 0; b < code->block_count; b++) {
        walk->differences[b] = next;
        while (next->at <= code->blocks[b].last)
            next++;
    }
    walk->differences[code->block_count] = next;
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
        .differences =
            arena_alloc(code->arena, ((size_t)code->block_count + 1) * sizeof *walk.differences),
    };

    find_differences(&walk);
    if (!pass_blocks(&walk))
        return false;
    *correspondence = (struct correspondence){
        .is_complete = !memchr(walk.parts, 1, code->block_count),
        .in_step = leaves_in_step(&walk),
        .parts = walk.parts,
    };
    return true;
}
