#include "schedule/allocate.h"
#include "schedule/pending.h"

/*
 * Wait masks for a new numbering: each old wait is carried over to what it stood for. What is
 * pending under the two numberings is found by iteration over the blocks, first under the old one,
 * which does not change, then under the new one together with the masks.
 */
struct waits {
    const struct code *code;
    struct pending before, after;
    struct producer_list *incoming_before, *incoming_after; /* block -> pending where it begins */
    struct producer_list queue;
    uint8_t *is_queued;
    uint8_t *masks;
    const uint8_t *overdue;
};

/* Part of a warp passes here without the operation that follows; ptxas does not rely on the wait. */
static bool
keeps_pending(const struct code *code, uint32_t at)
{
    return opcode_of(&code->instructions[at]) == OP_WARPSYNC;
}

static bool
waits_for_all(const struct code *code, uint32_t at)
{
    unsigned opcode = opcode_of(&code->instructions[at]);
    return opcode == OP_WARPSYNC || opcode == OP_WARPSYNC_ALL || opcode == OP_ENDCOLLECTIVE;
}

/* The new scoreboards of an instruction. */
static unsigned
own_numbers(const struct waits *waits, uint32_t at)
{
    unsigned mask = 0;

    for (uint32_t p = waits->code->first_producer[at]; p < producers_end(waits->code, at); p++)
        mask |= 1u << waits->after.numbers[p];
    return mask;
}

/* New scoreboards that stand for one old one. Who takes a scoreboard that something still counts on
   waits for that reason alone; with new numbers there may be none. */
static unsigned
carried_over(const struct waits *waits, uint32_t at, unsigned number)
{
    const struct pending *before = &waits->before, *after = &waits->after;
    unsigned all = 0, pending = 0, needed = 0;
    bool is_needed = false;

    for (uint32_t i = 0; i < before->list.count; i++) {
        uint32_t producer = before->list.at[i];
        if (before->numbers[producer] != number || producer == waits->code->stack_load)
            continue;
        unsigned bit = 1u << after->numbers[producer];
        all |= bit;
        if (after->holds[producer])
            pending |= bit;
        if (conflicts(waits->code, producer, at)) {
            is_needed = true;
            needed |= after->holds[producer] ? bit : 0;
        }
    }
    bool is_one = (all & (all - 1)) == 0;
    if (!is_needed && scoreboard_mask(&waits->code->instructions[at]) >> number & 1)
        return pending & own_numbers(waits, at);
    return is_one || !is_needed ? pending : needed;
}

static unsigned
new_mask(struct waits *waits, uint32_t at)
{
    const struct pending *before = &waits->before, *after = &waits->after;
    unsigned old = wait_mask(&waits->code->instructions[at]), mask = waits->overdue[at];
    bool is_for_all = waits_for_all(waits->code, at);

    if (old == ALL_SCOREBOARDS)
        return old;
    for (unsigned number = 0; number < SCOREBOARDS; number++)
        if (old >> number & 1)
            mask |= carried_over(waits, at, number);
    spend(waits->code, 1 + before->list.count + after->list.count);
    for (uint32_t i = 0; i < after->list.count; i++) {
        uint32_t producer = after->list.at[i];
        if (!before->holds[producer] && (is_for_all || conflicts(waits->code, producer, at)))
            mask |= 1u << after->numbers[producer];
    }
    return mask;
}

static void
issue_after(struct waits *waits, uint32_t at)
{
    for (uint32_t p = waits->code->first_producer[at]; p < producers_end(waits->code, at); p++)
        if (p != waits->code->stack_load)
            pending_add(&waits->after, p);
}

static void
walk_before(struct waits *waits, uint32_t block)
{
    const struct code *code = waits->code;

    pending_clear(&waits->before);
    pending_add_all(&waits->before, &waits->incoming_before[block]);
    for (uint32_t i = code->next_event[code->blocks[block].first]; i <= code->blocks[block].last;
         i = code->next_event[i + 1]) {
        if (!keeps_pending(code, i))
            pending_wait(&waits->before, wait_mask(&code->instructions[i]));
        pending_issue(&waits->before, i);
        spend(code, 1);
    }
}

/* Is something pending under the new numbering alone? Then any instruction may have to wait. */
static bool
is_ahead(const struct waits *waits)
{
    for (uint32_t i = 0; i < waits->after.list.count; i++)
        if (!waits->before.holds[waits->after.list.at[i]])
            return true;
    return false;
}

static void
walk_both(struct waits *waits, uint32_t block)
{
    const struct code *code = waits->code;

    pending_clear(&waits->before);
    pending_clear(&waits->after);
    pending_add_all(&waits->before, &waits->incoming_before[block]);
    pending_add_all(&waits->after, &waits->incoming_after[block]);
    bool ahead = is_ahead(waits);
    uint32_t i = code->blocks[block].first;
    memset(waits->masks + i, 0, code->blocks[block].last - i + 1);
    for (i = ahead ? i : code->next_event[i]; i <= code->blocks[block].last && !is_spent(code);
         i = ahead ? i + 1 : code->next_event[i + 1]) {
        waits->masks[i] = (uint8_t)new_mask(waits, i);
        if (!keeps_pending(code, i)) {
            pending_wait(&waits->before, wait_mask(&code->instructions[i]));
            pending_wait(&waits->after, waits->masks[i]);
        }
        pending_issue(&waits->before, i);
        issue_after(waits, i);
        ahead = is_ahead(waits);
    }
}

static void
enqueue(struct waits *waits, uint32_t block)
{
    if (waits->is_queued[block])
        return;
    waits->is_queued[block] = 1;
    array_push(&waits->queue, waits->code->arena, block);
}

/* Walks through blocks until what is pending where they begin does not change. */
static bool
settle(struct waits *waits, struct pending *pending, struct producer_list *incoming,
       void (*walk)(struct waits *, uint32_t))
{
    const struct code *code = waits->code;

    for (uint32_t b = code->block_count; b-- > 0;)
        enqueue(waits, b);
    while (waits->queue.count) {
        uint32_t b = waits->queue.at[--waits->queue.count];
        waits->is_queued[b] = 0;
        walk(waits, b);
        for (uint32_t s = 0; s < code->blocks[b].successor_count; s++) {
            uint32_t next = code->successors[code->blocks[b].first_successor + s];
            if (list_merge(&incoming[next], pending))
                enqueue(waits, next);
        }
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
        pending_clear(&waits->before);
        pending_add_all(&waits->before, &waits->incoming_before[b]);
        for (uint32_t i = code->next_event[code->blocks[b].first]; i <= code->blocks[b].last;
             i = code->next_event[i + 1]) {
            unsigned mask = wait_mask(&code->instructions[i]), busy = 0;
            for (uint32_t k = 0; mask && k < waits->before.list.count; k++)
                busy |= 1u << code->numbers[waits->before.list.at[k]];
            for (unsigned number = 0; number < SCOREBOARDS; number++)
                if (mask & ~busy & 1u << number)
                    waits->masks[i] |= (uint8_t)(1u << latest[number]);
            if (!keeps_pending(code, i))
                pending_wait(&waits->before, mask);
            pending_issue(&waits->before, i);
            for (uint32_t p = code->first_producer[i]; p < producers_end(code, i); p++)
                if (p != code->stack_load)
                    latest[code->numbers[p]] = waits->after.numbers[p];
        }
    }
}

uint8_t *
allocate_waits(const struct code *code, const struct new_scoreboards *new)
{
    struct waits waits = {
        .code = code,
        .incoming_before =
            arena_array(code->arena, code->block_count, sizeof(struct producer_list)),
        .incoming_after = arena_array(code->arena, code->block_count, sizeof(struct producer_list)),
        .is_queued = arena_array(code->arena, code->block_count, 1),
        .masks = arena_array(code->arena, code->count, 1),
        .overdue = new->overdue,
    };
    pending_init(&waits.before, code, code->numbers);
    pending_init(&waits.after, code, new->numbers);
    if (!settle(&waits, &waits.before, waits.incoming_before, walk_before) ||
        !settle(&waits, &waits.after, waits.incoming_after, walk_both))
        return NULL;
    carry_idle_bits(&waits);
    return waits.masks;
}
