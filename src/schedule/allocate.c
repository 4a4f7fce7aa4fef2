#include "schedule/allocate.h"

#include "schedule/blocks.h"
#include "schedule/follow.h"
#include "schedule/summary.h"

static void
open_side(struct side *side, const struct code *code, const uint8_t *numbers)
{
    pending_init(&side->pending, code, numbers);
    side->outgoing = arena_array(code->arena, code->block_count, sizeof *side->outgoing);
    side->entries = arena_array(code->arena, (size_t)code->block_count + code->exit_count,
                                sizeof *side->entries);
}

static unsigned
numbers_in(const struct side *side, const struct producer_list *list)
{
    unsigned mask = 0;

    for (uint32_t i = 0; i < list->count; i++)
        mask |= 1u << side->pending.numbers[list->at[i]];
    return mask;
}

/* Scoreboards that are pending where a successor begins, if control comes there by another way. */
static unsigned
avoided_numbers(const struct allocation *allocation, const struct side *side)
{
    const struct code *code = allocation->code;
    const struct block *block = &code->blocks[allocation->block];
    unsigned mask = 0;

    for (uint32_t s = 0; s < block->successor_count; s++)
        mask |= side->entries[code->successors[block->first_successor + s]];
    return mask;
}

static void
begin_side(struct allocation *allocation, struct side *side)
{
    const struct code *code = allocation->code;
    const struct block *block = &code->blocks[allocation->block];

    pending_clear(&side->pending);
    side->late.count = 0;
    for (uint32_t p = 0; p < block->predecessor_count; p++) {
        uint32_t from = code->predecessors[block->first_predecessor + p];
        if (allocation->is_done[from])
            pending_add_all(&side->pending, &side->outgoing[from]);
    }
    side->last_was_pending = numbers_in(side, &side->pending.list) >> (SCOREBOARDS - 1) & 1;
    side->avoided = avoided_numbers(allocation, side);
    spend(code, block->predecessor_count + block->successor_count + side->pending.list.count);
}

static struct situation
situation_of(const struct allocation *allocation, const struct side *side)
{
    return (struct situation){
        .facts = allocation->facts,
        .pending = &side->pending,
        .last_was_pending = side->last_was_pending,
        .avoided = side->avoided,
        .first = allocation->first,
    };
}

/* The new scoreboard on which most of those count that counted on the old one; else `otherwise`. */
static unsigned
corresponding_number(const struct allocation *allocation, unsigned number, unsigned otherwise)
{
    const struct pending *before = &allocation->before.pending, *after = &allocation->after.pending;
    uint32_t counts[SCOREBOARDS] = {0};
    unsigned best = otherwise;
    bool was_busy = false;

    for (uint32_t i = 0; i < before->list.count; i++) {
        uint32_t producer = before->list.at[i];
        if (before->numbers[producer] != number)
            continue;
        was_busy = true;
        if (producer != allocation->code->stack_load && after->holds[producer])
            counts[after->numbers[producer]]++;
    }
    if (!was_busy)
        return numbers_in(&allocation->after, &after->list) >> number & 1 ? otherwise : number;
    for (unsigned i = SCOREBOARDS; i-- > 0;)
        if (counts[i] && (best == otherwise || counts[i] >= counts[best]))
            best = i;
    return best;
}

/* The rule that explains the old number gives the new one. Outgoing reads join each other, or keep
   apart. */
static unsigned
new_number(const struct allocation *allocation, uint32_t producer)
{
    struct situation then = situation_of(allocation, &allocation->before);
    struct situation now = situation_of(allocation, &allocation->after);
    struct choice expected = choose_scoreboard(&then, producer);
    struct choice chosen = choose_scoreboard(&now, producer);
    unsigned old = allocation->before.pending.numbers[producer];

    if (expected.number != old && expected.kind == JOINS) {
        then.keeps_apart = now.keeps_apart = true;
        if (choose_scoreboard(&then, producer).number == old)
            return choose_scoreboard(&now, producer).number;
    }
    if (expected.number != old && expected.kind == chosen.kind)
        return corresponding_number(allocation, old, chosen.number);
    return chosen.number;
}

static void
number_producer(struct allocation *allocation, uint32_t producer)
{
    struct pending *before = &allocation->before.pending, *after = &allocation->after.pending;

    if (producer == allocation->code->stack_load) {
        allocation->numbers[producer] = NO_SCOREBOARD;
        pending_add(before, producer);
        return;
    }
    allocation->numbers[producer] = (uint8_t)new_number(allocation, producer);
    pending_add(before, producer);
    pending_add(after, producer);
    spend(allocation->code, before->list.count + after->list.count);
}

/* What is pending at the end of the block is so where its successors begin. */
static void
note_entries(struct allocation *allocation, struct side *side)
{
    const struct code *code = allocation->code;
    const struct block *block = &code->blocks[allocation->block];
    uint8_t numbers = (uint8_t)numbers_in(side, &side->outgoing[allocation->block]);

    for (uint32_t s = 0; s < block->successor_count; s++)
        side->entries[code->successors[block->first_successor + s]] |= numbers;
    spend(code, block->successor_count);
}

static void
end_side(struct allocation *allocation, struct side *side)
{
    const struct code *code = allocation->code;
    struct producer_list *outgoing = &side->outgoing[allocation->block];

    for (uint32_t i = 0; i < side->late.count; i++)
        side->pending.holds[side->late.at[i]] = 0;
    for (uint32_t i = 0; i < side->pending.list.count; i++)
        if (side->pending.holds[side->pending.list.at[i]])
            array_push(outgoing, code->arena, side->pending.list.at[i]);
    note_entries(allocation, side);
    spend(code, side->pending.list.count);
}

/* Of what a block issues and what is pending where it begins, if it issues anything. */
static void
find_facts(struct allocation *allocation, uint32_t b)
{
    const struct code *code = allocation->code;
    const struct side *sides[] = {&allocation->before, &allocation->after};

    if (code->first_producer[code->blocks[b].first] == producers_end(code, code->blocks[b].last))
        return;
    block_facts_begin(allocation->facts, b);
    for (unsigned s = 0; s < COUNT_OF(sides); s++)
        for (uint32_t i = 0; i < sides[s]->pending.list.count; i++)
            block_facts_add(allocation->facts, sides[s]->pending.list.at[i]);
}

/* False if it is too much work. */
static bool
number_block(struct allocation *allocation, uint32_t b)
{
    const struct code *code = allocation->code;
    uint32_t i = code->blocks[b].first;

    for (i = allocation->ahead ? i : code->next_event[i]; i <= code->blocks[b].last;
         i = allocation->ahead ? i + 1 : code->next_event[i + 1]) {
        follow_waits(allocation, i);
        for (uint32_t p = code->first_producer[i]; p < producers_end(code, i); p++)
            number_producer(allocation, p);
        if (is_spent(code))
            return false;
    }
    return true;
}

/* Do both numberings leave the same behind at the end of the block? */
static bool
ends_in_step(const struct allocation *allocation, uint32_t b)
{
    const struct side *before = &allocation->before, *after = &allocation->after;
    const struct producer_list *list = &after->outgoing[b];

    if (before->outgoing[b].count != list->count)
        return false;
    /* What is the first of the old ones is also the first of the new ones, and so on, if all is the
       same: both lists grew together. */
    for (uint32_t i = 0; i < list->count; i++)
        if (before->outgoing[b].at[i] != list->at[i] ||
            before->pending.numbers[list->at[i]] != after->pending.numbers[list->at[i]])
            return false;
    return true;
}

/* Is the situation where the block begins the same for both numberings? Then it is all through the
   block, unless that has the load of R1: the rules give the same number, right or wrong, so that the
   new one is the old one. */
static bool
begins_in_step(const struct allocation *allocation, uint32_t b)
{
    const struct code *code = allocation->code;
    const struct block *block = &code->blocks[b];

    if (is_guarded_exit(code, block->last))
        return false;
    for (uint32_t p = 0; p < block->predecessor_count; p++) {
        uint32_t from = code->predecessors[block->first_predecessor + p];
        if (allocation->is_done[from] && !allocation->is_in_step[from])
            return false;
    }
    return b > 0 && avoided_numbers(allocation, &allocation->before) ==
                        avoided_numbers(allocation, &allocation->after);
}

/* Both sides of a block in step. */
static void
pass_in_step(struct allocation *allocation, uint32_t b)
{
    const struct code *code = allocation->code;
    const struct block *block = &code->blocks[b];
    struct pending *pending = &allocation->before.pending;
    uint32_t first = code->first_producer[block->first], end = producers_end(code, block->last);

    begin_side(allocation, &allocation->before);
    memcpy(allocation->numbers + first, code->numbers + first, end - first);
    pending_pass(pending, &allocation->summaries[b]);
    end_side(allocation, &allocation->before);
    allocation->after.outgoing[b] = allocation->before.outgoing[b];
    note_entries(allocation, &allocation->after);
}

/* False if it is too much work. */
static bool
number_out_of_step(struct allocation *allocation, uint32_t b)
{
    begin_side(allocation, &allocation->before);
    begin_side(allocation, &allocation->after);
    allocation->ahead = pending_ahead(&allocation->after.pending, &allocation->before.pending);
    find_facts(allocation, b);
    if (!number_block(allocation, b))
        return false;
    end_side(allocation, &allocation->before);
    end_side(allocation, &allocation->after);
    return true;
}

/* Then both numberings are the same in all blocks that are not looked at: see begins_in_step. */
static bool
leaves_in_step(const struct allocation *allocation)
{
    const struct code *code = allocation->code;

    for (uint32_t b = code->block_count; b < code->block_count + code->exit_count; b++) {
        const struct block *exit = &code->blocks[b];

        if (allocation->before.entries[b] != allocation->after.entries[b])
            return false;
        for (uint32_t p = 0; p < exit->predecessor_count; p++)
            if (!allocation->is_in_step[code->predecessors[exit->first_predecessor + p]])
                return false;
    }
    return true;
}

bool
allocate_scoreboards(const struct code *code, struct new_scoreboards *renewed)
{
    struct allocation allocation = {
        .code = code,
        .facts = block_facts_new(code),
        .numbers = arena_array(code->arena, (size_t)code->producer_count + 1, 1),
        .overdue = arena_array(code->arena, code->count, 1),
        .is_done = arena_array(code->arena, code->block_count, 1),
        .is_in_step = arena_array(code->arena, code->block_count, 1),
        .summaries = summarise_blocks(code, true),
        .first = code->counts_groups ? 1 : 0,
    };
    open_side(&allocation.before, code, code->numbers);
    open_side(&allocation.after, code, allocation.numbers);

    for (uint32_t b = 0; b < code->block_count; b++) {
        allocation.block = b;
        if (begins_in_step(&allocation, b)) {
            pass_in_step(&allocation, b);
            allocation.is_in_step[b] = 1;
        } else {
            if (!number_out_of_step(&allocation, b))
                return false;
            allocation.is_in_step[b] = ends_in_step(&allocation, b);
        }
        allocation.is_done[b] = 1;
    }
    *renewed = (struct new_scoreboards){allocation.numbers, allocation.overdue,
                                        allocation.summaries, leaves_in_step(&allocation)};
    return !is_spent(code);
}
