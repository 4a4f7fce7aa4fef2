#include "schedule/allocate.h"

#include "schedule/blocks.h"
#include "schedule/choice.h"

/* One numbering on its way through the code. */
struct side {
    struct pending pending;
    struct producer_list *outgoing; /* block -> what is pending at its end */
    uint8_t *entries;          /* block -> scoreboards pending where it begins, as far as known */
    struct producer_list late; /* waited for by the block's last instruction, for no need */
    bool last_was_pending;
    unsigned avoided;
};

struct allocation {
    const struct code *code;
    struct block_facts *facts;
    uint8_t *numbers; /* the new ones */
    uint8_t *overdue;
    uint8_t *is_done; /* blocks */
    struct side before, after;
    unsigned first; /* scoreboard that is free to use */
    uint32_t block;
};

static void
open_side(struct side *side, const struct code *code, const uint8_t *numbers)
{
    pending_init(&side->pending, code, numbers);
    side->outgoing = arena_array(code->arena, code->block_count, sizeof *side->outgoing);
    side->entries = arena_array(code->arena, code->block_count, sizeof *side->entries);
}

/* Copies that run by themselves are counted in groups on the first scoreboard, and DEPBAR names
   it; nothing else uses it then. */
static unsigned
first_scoreboard(const struct code *code)
{
    for (uint32_t i = 0; i < code->count; i++) {
        unsigned opcode = opcode_of(&code->instructions[i]);
        if (opcode == OP_LDGDEPBAR || opcode == OP_UTMACMDFLUSH)
            return 1;
    }
    return 0;
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
    for (uint32_t i = 0; i < side->pending.list.count; i++)
        block_facts_add(allocation->facts, side->pending.list.at[i]);
    side->last_was_pending = numbers_in(side, &side->pending.list) >> (SCOREBOARDS - 1) & 1;
    side->avoided = avoided_numbers(allocation, side);
    spend(code, block->predecessor_count + block->successor_count + side->pending.list.count);
}

/* What a wait of the kernel as it came stood for. */
struct reason {
    unsigned needed;   /* new scoreboards of those that conflict with the instruction */
    unsigned pending;  /* of all that counted on the old scoreboard */
    unsigned in_block; /* of those among them that the block issued */
};

static struct reason
reason_of_wait(const struct allocation *allocation, uint32_t at, unsigned number)
{
    const struct pending *before = &allocation->before.pending, *after = &allocation->after.pending;
    struct reason reason = {0};

    spend(allocation->code, before->list.count);
    for (uint32_t i = 0; i < before->list.count; i++) {
        uint32_t producer = before->list.at[i];
        if (before->numbers[producer] != number || producer == allocation->code->stack_load)
            continue;
        unsigned bit = after->holds[producer] ? 1u << after->numbers[producer] : 0;
        uint32_t issuer = allocation->code->producers[producer].at;
        reason.pending |= bit;
        if (allocation->code->block_of[issuer] == allocation->block)
            reason.in_block |= bit;
        if (conflicts(allocation->code, producer, at))
            reason.needed |= bit | 1u << SCOREBOARDS;
    }
    return reason;
}

static void
remember_late(struct side *side, unsigned mask)
{
    for (uint32_t i = 0; i < side->pending.list.count; i++) {
        uint32_t producer = side->pending.list.at[i];
        if (mask >> side->pending.numbers[producer] & 1)
            array_push(&side->late, side->pending.code->arena, producer);
    }
}

/* Waits that only the new numbering needs: the old one had waited for more than it had to. */
static unsigned
additional_waits(struct allocation *allocation, uint32_t at)
{
    struct pending *after = &allocation->after.pending;
    unsigned mask = 0;

    spend(allocation->code, after->list.count);
    for (uint32_t i = 0; i < after->list.count; i++) {
        uint32_t producer = after->list.at[i];
        if (!allocation->before.pending.holds[producer] &&
            conflicts(allocation->code, producer, at))
            mask |= 1u << after->numbers[producer];
    }
    return mask;
}

/* Should it be done by now? Of another block it is not known. */
static bool
is_overdue(const struct allocation *allocation, uint32_t producer, uint32_t at)
{
    enum { LEAST_CYCLES = 13 };
    const struct code *code = allocation->code;
    uint32_t issuer = code->producers[producer].at;
    uint32_t cycles = allocation->facts->issued[at] - allocation->facts->issued[issuer];

    return code->block_of[issuer] == allocation->block && cycles >= LEAST_CYCLES &&
           2 * cycles >= expected_latency(code, producer);
}

/* Branches and exits wait for what should be done by then. That need not show in the kernel as it
   came where the load of R1 was on the same scoreboard; it is found again for these. */
static unsigned
overdue_numbers(struct allocation *allocation, uint32_t at)
{
    const struct pending *before = &allocation->before.pending, *after = &allocation->after.pending;
    uint32_t load = allocation->code->stack_load;
    unsigned number = before->numbers[load], candidates = 0, others = 0;

    if (!before->holds[load] || wait_mask(&allocation->code->instructions[at]) >> number & 1)
        return 0;
    spend(allocation->code, after->list.count);
    for (uint32_t i = 0; i < after->list.count; i++) {
        uint32_t producer = after->list.at[i];
        unsigned bit = 1u << after->numbers[producer];
        if (!is_overdue(allocation, producer, at))
            others |= bit;
        else if (before->holds[producer] && before->numbers[producer] == number)
            candidates |= bit;
    }
    return candidates & ~others;
}

/* The last instruction of a block also waits for what should be done by then; scoreboards that
   become free by this are free for the next block only. */
static void
follow_waits(struct allocation *allocation, uint32_t at)
{
    const struct code *code = allocation->code;
    bool is_last = at == code->blocks[allocation->block].last;
    unsigned mask = wait_mask(&code->instructions[at]), old = 0, new = 0;

    for (unsigned number = 0; number < SCOREBOARDS; number++) {
        if (!(mask >> number & 1))
            continue;
        struct reason reason = reason_of_wait(allocation, at, number);
        if (reason.needed || !is_last) {
            old |= 1u << number;
            new |= reason.needed ? reason.needed : reason.pending;
        } else {
            remember_late(&allocation->before, 1u << number);
            remember_late(&allocation->after, reason.in_block ? reason.in_block : reason.pending);
        }
    }
    if (allocation->after.pending.list.count > 0)
        new |= additional_waits(allocation, at);
    if (transfers_control(&code->instructions[at])) {
        allocation->overdue[at] = (uint8_t)overdue_numbers(allocation, at);
        remember_late(&allocation->after, allocation->overdue[at]);
    }
    pending_wait(&allocation->before.pending, old);
    pending_wait(&allocation->after.pending, new &((1u << SCOREBOARDS) - 1));
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

static void
number_producer(struct allocation *allocation, uint32_t producer)
{
    struct pending *before = &allocation->before.pending, *after = &allocation->after.pending;

    if (producer == allocation->code->stack_load) {
        allocation->numbers[producer] = NO_SCOREBOARD;
        pending_add(before, producer);
        return;
    }
    struct situation then = situation_of(allocation, &allocation->before);
    struct situation now = situation_of(allocation, &allocation->after);
    struct choice old = choose_scoreboard(&then, producer), new = choose_scoreboard(&now, producer);
    if (old.number != before->numbers[producer] && old.kind == new.kind)
        new.number = corresponding_number(allocation, before->numbers[producer], new.number);
    allocation->numbers[producer] = (uint8_t) new.number;
    pending_add(before, producer);
    pending_add(after, producer);
    spend(allocation->code, before->list.count + after->list.count);
}

static void
end_side(struct allocation *allocation, struct side *side)
{
    const struct code *code = allocation->code;
    const struct block *block = &code->blocks[allocation->block];
    struct producer_list *outgoing = &side->outgoing[allocation->block];

    for (uint32_t i = 0; i < side->late.count; i++)
        side->pending.holds[side->late.at[i]] = 0;
    for (uint32_t i = 0; i < side->pending.list.count; i++)
        if (side->pending.holds[side->pending.list.at[i]])
            array_push(outgoing, code->arena, side->pending.list.at[i]);
    uint8_t numbers = (uint8_t)numbers_in(side, outgoing);
    for (uint32_t s = 0; s < block->successor_count; s++)
        side->entries[code->successors[block->first_successor + s]] |= numbers;
    spend(code, side->pending.list.count + block->successor_count);
}

bool
allocate_scoreboards(const struct code *code, struct new_scoreboards *new)
{
    struct allocation allocation = {
        .code = code,
        .facts = block_facts_new(code),
        .numbers = arena_array(code->arena, (size_t)code->producer_count + 1, 1),
        .overdue = arena_array(code->arena, code->count, 1),
        .is_done = arena_array(code->arena, code->block_count, 1),
        .first = first_scoreboard(code),
    };
    open_side(&allocation.before, code, code->numbers);
    open_side(&allocation.after, code, allocation.numbers);

    for (uint32_t b = 0; b < code->block_count; b++) {
        allocation.block = b;
        block_facts_begin(allocation.facts, b);
        begin_side(&allocation, &allocation.before);
        begin_side(&allocation, &allocation.after);
        for (uint32_t i = code->blocks[b].first; i <= code->blocks[b].last; i++) {
            follow_waits(&allocation, i);
            for (uint32_t p = code->first_producer[i]; p < producers_end(code, i); p++)
                number_producer(&allocation, p);
            if (is_spent(code))
                return false;
        }
        end_side(&allocation, &allocation.before);
        end_side(&allocation, &allocation.after);
        allocation.is_done[b] = 1;
    }
    *new = (struct new_scoreboards){allocation.numbers, allocation.overdue};
    return true;
}
