#include "schedule/allocate.h"

#include "schedule/blocks.h"
#include "schedule/follow.h"
#include "schedule/order.h"
#include "schedule/summary.h"

static void
open_side(struct side *side, const struct code *code, struct pending *pending)
{
    size_t blocks = (size_t)code->block_count + code->exit_count;

    side->pending = pending;
    side->outgoing = producer_sets_new(code, (size_t)code->block_count + 1);
    side->incoming = set_number(&side->outgoing, code->block_count);
    side->outgoing_numbers = arena_array(code->arena, code->block_count, 1);
    side->entries = arena_array(code->arena, blocks, 1);
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

/* Adds what is pending where the block begins, as far as it is known; its scoreboards. */
static unsigned
join_predecessors(const struct allocation *allocation, const struct side *side, uint64_t *set)
{
    const struct code *code = allocation->code;
    const struct block *block = &code->blocks[allocation->block];
    unsigned numbers = 0;

    for (uint32_t p = 0; p < block->predecessor_count; p++) {
        uint32_t from = code->predecessors[block->first_predecessor + p];
        if (!allocation->is_done[from])
            continue;
        set_join(set, set_number(&side->outgoing, from), side->outgoing.words);
        numbers |= side->outgoing_numbers[from];
    }
    spend(code, block->predecessor_count * (uint64_t)side->outgoing.words / 2);
    return numbers;
}

static void
begin_side(struct allocation *allocation, struct side *side)
{
    side->late.count = 0;
    memset(side->incoming, 0, side->outgoing.words * sizeof *side->incoming);
    unsigned numbers = join_predecessors(allocation, side, side->incoming);
    side->last_was_pending = numbers >> (SCOREBOARDS - 1) & 1;
    side->avoided = avoided_numbers(allocation, side);
}

static struct situation
situation_of(const struct allocation *allocation, const struct side *side)
{
    return (struct situation){
        .facts = allocation->facts,
        .pending = side->pending,
        .scene = &side->scene,
        .last_was_pending = side->last_was_pending,
        .avoided = side->avoided,
        .first = allocation->first,
    };
}

/* The new scoreboard on which most of those count that counted on the old one; else `otherwise`. */
static unsigned
corresponding_number(const struct allocation *allocation, unsigned number, unsigned otherwise)
{
    const struct producer_list *list = &allocation->before.pending->on[number];
    uint32_t counts[SCOREBOARDS] = {0};
    unsigned best = otherwise;

    if (!list->count)
        return allocation->after.pending->busy >> number & 1 ? otherwise : number;
    for (uint32_t i = 0; i < list->count; i++)
        if (list->at[i] != allocation->code->stack_load &&
            allocation->pair.holds[list->at[i]] & PENDING_AFTER)
            counts[allocation->numbers[list->at[i]]]++;
    for (unsigned i = SCOREBOARDS; i-- > 0;)
        if (counts[i] && (best == otherwise || counts[i] >= counts[best]))
            best = i;
    spend(allocation->code, list->count);
    return best;
}

/* The rule that explains the old number gives the new one. Outgoing reads join each other, or keep
   apart. */
static unsigned
new_number(const struct allocation *allocation, const struct candidate *candidate, unsigned old)
{
    struct situation then = situation_of(allocation, &allocation->before);
    struct situation now = situation_of(allocation, &allocation->after);
    struct choice expected = choose_scoreboard(&then, candidate);
    struct choice chosen = choose_scoreboard(&now, candidate);

    if (expected.number != old && expected.kind == JOINS) {
        then.keeps_apart = now.keeps_apart = true;
        if (choose_scoreboard(&then, candidate).number == old)
            return choose_scoreboard(&now, candidate).number;
    }
    if (expected.number != old && expected.kind == chosen.kind)
        return corresponding_number(allocation, old, chosen.number);
    return chosen.number;
}

static void
issue_before(struct allocation *allocation, uint32_t producer, const struct candidate *candidate)
{
    pair_add_before(&allocation->pair, producer);
    scene_issue(&allocation->before.scene, allocation->code, candidate,
                allocation->code->numbers[producer]);
}

static void
issue_after(struct allocation *allocation, uint32_t producer, const struct candidate *candidate)
{
    pair_add_after(&allocation->pair, producer);
    follow_issue(allocation, producer);
    scene_issue(&allocation->after.scene, allocation->code, candidate,
                allocation->numbers[producer]);
}

static void
number_producer(struct allocation *allocation, uint32_t producer)
{
    struct side *before = &allocation->before, *after = &allocation->after;
    const struct code *code = allocation->code;
    struct candidate candidate = candidate_of(allocation->facts, producer);

    if (producer == code->stack_load && code->gains_load) {
        struct situation now = situation_of(allocation, after);
        allocation->numbers[producer] = (uint8_t)choose_scoreboard(&now, &candidate).number;
        issue_after(allocation, producer, &candidate);
        return;
    }
    if (producer == code->stack_load) {
        allocation->numbers[producer] = NO_SCOREBOARD;
        issue_before(allocation, producer, &candidate);
        return;
    }
    scene_advance(&before->scene, before->pending, allocation->facts, candidate.at);
    scene_advance(&after->scene, after->pending, allocation->facts, candidate.at);
    unsigned number = new_number(allocation, &candidate, code->numbers[producer]);
    allocation->numbers[producer] = (uint8_t)number;
    issue_before(allocation, producer, &candidate);
    issue_after(allocation, producer, &candidate);
    spend(code, 1);
}

/* What is pending at the end of the block is so where its successors begin. */
static void
note_entries(struct allocation *allocation, struct side *side)
{
    const struct code *code = allocation->code;
    const struct block *block = &code->blocks[allocation->block];
    uint8_t numbers = side->outgoing_numbers[allocation->block];

    for (uint32_t s = 0; s < block->successor_count; s++)
        side->entries[code->successors[block->first_successor + s]] |= numbers;
    spend(code, block->successor_count);
}

/* The scoreboards of what is pending at the end of the block. */
static unsigned
outgoing_numbers(const struct side *side, const uint64_t *outgoing)
{
    const struct pending *pending = side->pending;
    unsigned numbers = 0;

    if (!side->late.count)
        return pending->busy;
    for (unsigned left = pending->busy; left; left &= left - 1) {
        const struct producer_list *list = &pending->on[__builtin_ctz(left)];
        for (uint32_t i = 0; i < list->count && !(numbers & left & -left); i++)
            numbers |= set_holds(outgoing, list->at[i]) ? left & -left : 0;
    }
    return numbers;
}

static void
end_side(struct allocation *allocation, struct side *side)
{
    uint64_t *outgoing = set_number(&side->outgoing, allocation->block);

    pending_note(side->pending, outgoing);
    for (uint32_t i = 0; i < side->late.count; i++)
        set_drop(outgoing, side->late.at[i]);
    side->outgoing_numbers[allocation->block] = (uint8_t)outgoing_numbers(side, outgoing);
    note_entries(allocation, side);
}

static void
add_facts(struct block_facts *facts, const uint64_t *set, uint32_t words)
{
    for (uint32_t w = 0; w < words; w++)
        for (uint64_t left = set[w]; left; left &= left - 1)
            block_facts_add(facts, member_of_word(w, left));
}

/* Of what a block issues and what is pending where it begins, if it issues anything. */
static void
find_facts(struct allocation *allocation, uint32_t b)
{
    const struct code *code = allocation->code;
    struct side *sides[] = {&allocation->before, &allocation->after};

    if (first_producer(code, code->blocks[b].first) == producers_end(code, code->blocks[b].last))
        return;
    block_facts_begin(allocation->facts, b);
    for (unsigned s = 0; s < COUNT_OF(sides); s++) {
        add_facts(allocation->facts, sides[s]->incoming, sides[s]->outgoing.words);
        scene_begin(&sides[s]->scene, sides[s]->pending, allocation->facts);
    }
}

/* False if it is too much work. */
static bool
number_block(struct allocation *allocation, uint32_t b)
{
    const struct code *code = allocation->code;
    uint32_t i = code->blocks[b].first, last = code->blocks[b].last;
    const struct code_event *event = event_from(code, i);

    allocation->delay = 0;
    allocation->waited = 0;
    memset(allocation->settled, 0, sizeof allocation->settled);
    for (;; i++) {
        i = allocation->pair.ahead ? i : event->at;
        if (i > last)
            break;
        if (i < event->at) {
            follow_new_waits(allocation, i);
            continue;
        }
        follow_waits(allocation, event);
        for (uint32_t p = event->first_producer; p < event[1].first_producer; p++)
            number_producer(allocation, p);
        event++;
        if (is_spent(code))
            return false;
    }
    follow_end(allocation, last);
    return !is_spent(code);
}

/* Do both numberings leave the same behind at the end of the block? */
static bool
ends_in_step(const struct allocation *allocation, uint32_t b)
{
    const struct code *code = allocation->code;
    const uint64_t *outgoing = set_number(&allocation->after.outgoing, b);
    uint32_t words = allocation->after.outgoing.words;

    if (!sets_are_equal(set_number(&allocation->before.outgoing, b), outgoing, words))
        return false;
    for (uint32_t w = 0; w < words; w++)
        for (uint64_t left = outgoing[w]; left; left &= left - 1) {
            uint32_t producer = member_of_word(w, left);
            if (code->numbers[producer] != allocation->numbers[producer])
                return false;
        }
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
    const struct block_summary *summary = &allocation->summaries[b];
    struct side *before = &allocation->before, *after = &allocation->after;
    uint64_t *outgoing = set_number(&before->outgoing, b);
    uint32_t first = first_producer(code, block->first), end = producers_end(code, block->last);
    unsigned numbers = join_predecessors(allocation, before, outgoing);

    memcpy(allocation->numbers + first, code->numbers + first, end - first);
    summary_pass(summary, &allocation->by_number, outgoing);
    memcpy(set_number(&after->outgoing, b), outgoing, after->outgoing.words * sizeof *outgoing);
    before->outgoing_numbers[b] = after->outgoing_numbers[b] =
        (uint8_t)summary_pass_numbers(summary, numbers);
    note_entries(allocation, before);
    note_entries(allocation, after);
}

static bool
begins_loop(const struct allocation *allocation, uint32_t b)
{
    const struct block *block = &allocation->code->blocks[b];

    for (uint32_t p = 0; p < block->predecessor_count; p++)
        if (!allocation->is_done[allocation->code->predecessors[block->first_predecessor + p]])
            return true;
    return false;
}

/* The scoreboards, as they came, of what is pending where the block begins, but comes by ways that are not
   known yet. */
static unsigned
find_coming_round(const struct allocation *allocation, uint32_t b)
{
    const uint64_t *entering = set_number(&allocation->entering, b);
    const uint64_t *known = allocation->before.incoming;
    unsigned numbers = 0;

    for (uint32_t w = 0; w < allocation->entering.words; w++)
        for (uint64_t left = entering[w] & ~known[w]; left; left &= left - 1)
            numbers |= 1u << allocation->code->numbers[member_of_word(w, left)];
    return numbers;
}

/* False if it is too much work. */
static bool
number_out_of_step(struct allocation *allocation, uint32_t b)
{
    struct side *before = &allocation->before, *after = &allocation->after;

    allocation->begins_loop = begins_loop(allocation, b);
    begin_side(allocation, before);
    begin_side(allocation, after);
    allocation->coming_round = find_coming_round(allocation, b);
    pair_begin(&allocation->pair, before->incoming, after->incoming, after->outgoing.words);
    find_facts(allocation, b);
    if (!number_block(allocation, b))
        return false;
    end_side(allocation, before);
    end_side(allocation, after);
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

/* False if it is too much work. */
static bool
allocate_block(struct allocation *allocation, uint32_t b)
{
    allocation->block = b;
    if (begins_in_step(allocation, b)) {
        pass_in_step(allocation, b);
        allocation->is_in_step[b] = 1;
    } else {
        if (!number_out_of_step(allocation, b))
            return false;
        allocation->is_in_step[b] = ends_in_step(allocation, b);
    }
    allocation->is_done[b] = 1;
    return true;
}

/* Do control flows come to both blocks from one place alone, and go on to one place alone? */
static bool
are_arms(const struct code *code, uint32_t a, uint32_t b)
{
    const struct block *one = &code->blocks[a], *other = &code->blocks[b];

    return one->predecessor_count == 1 && other->predecessor_count == 1 &&
           one->successor_count == 1 && other->successor_count == 1 &&
           code->predecessors[one->first_predecessor] ==
               code->predecessors[other->first_predecessor] &&
           code->successors[one->first_successor] == code->successors[other->first_successor];
}

/*
 * Arms that meet again avoid what those before them left pending, in an order that only the numbers as
 * they came tell: each takes the lowest that is free. So there is one arm of each number first, in
 * ascending order; then none was free any more.
 */
static bool
allocate_arms(struct allocation *allocation, uint32_t first, uint32_t end)
{
    for (unsigned number = 0; number <= SCOREBOARDS; number++)
        for (uint32_t b = first; b < end; b++)
            if (!allocation->is_done[b] && lowest_left(&allocation->summaries[b]) == number) {
                if (!allocate_block(allocation, b))
                    return false;
                break;
            }
    for (uint32_t b = first; b < end; b++)
        if (!allocation->is_done[b] && !allocate_block(allocation, b))
            return false;
    return true;
}

/* The block, and all arms of one block each that belong to the same branch. */
static bool
allocate_with_arms(struct allocation *allocation, uint32_t b)
{
    const struct code *code = allocation->code;
    uint32_t first = b, end = b + 1;

    if (allocation->is_done[b])
        return true;
    while (first > 0 && are_arms(code, first - 1, b))
        first--;
    while (end < code->block_count && are_arms(code, b, end))
        end++;
    return end == first + 1 ? allocate_block(allocation, b) : allocate_arms(allocation, first, end);
}

bool
allocate_scoreboards(const struct code *code, struct new_scoreboards *renewed)
{
    struct allocation allocation = {
        .code = code,
        .facts = block_facts_new(code),
        .numbers = arena_array(code->arena, (size_t)code->producer_count + 1, 1),
        .overdue = arena_array(code->arena, code->count, 1),
        .not_overdue = arena_array(code->arena, code->count, 1),
        .issued_at = arena_alloc(code->arena, (size_t)code->producer_count * sizeof(uint32_t)),
        .is_done = arena_array(code->arena, code->block_count, 1),
        .is_in_step = arena_array(code->arena, code->block_count, 1),
        .summaries = summarise_blocks(code),
        .by_number = producers_by_number(code, code->numbers),
        .first = code->counts_groups ? 1 : 0,
    };
    if (!has_effort_for_sets(code, 3))
        return false;
    pair_init(&allocation.pair, code, allocation.numbers);
    if (!find_entering(code, allocation.summaries, &allocation.by_number, &allocation.entering))
        return false;
    open_side(&allocation.before, code, &allocation.pair.before);
    open_side(&allocation.after, code, &allocation.pair.after);

    const uint32_t *order = find_order(code, allocation.summaries);
    for (uint32_t i = 0; i < code->block_count; i++)
        if (!allocate_with_arms(&allocation, order[i]))
            return false;
    *renewed = (struct new_scoreboards){
        .numbers = allocation.numbers,
        .overdue = allocation.overdue,
        .not_overdue = allocation.not_overdue,
        .summaries = allocation.summaries,
        .by_number = allocation.by_number,
        .entering = allocation.entering,
        .leaves_in_step = leaves_in_step(&allocation),
        .facts = allocation.facts,
    };
    return !is_spent(code);
}
