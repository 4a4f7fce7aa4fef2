#include "schedule/allocate.h"
#include "schedule/summary.h"

/*
 * Wait masks for a new numbering: each old wait is carried over to what it stood for. What is
 * pending under the two numberings is found by iteration over the blocks, first under the old one,
 * which does not change, then under the new one together with the masks.
 */
struct waits {
    const struct code *code;
    struct pending before, after;
    struct producer_list *incoming_before, *incoming_after; /* block -> pending where it begins */
    uint32_t ahead;     /* how many are pending under the new numbering alone */
    bool has_idle_bits; /* something was waited for on which nothing was pending */
    const struct block_summary *summaries; /* under the old numbering */
    struct producer_list queue;
    uint8_t *is_queued;
    uint8_t *masks;
    const uint8_t *overdue;
};

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

/* What an old scoreboard stands for: new ones. */
struct stand_in {
    bool was_busy;    /* under the old numbering */
    bool is_needed;   /* by the registers of who waits */
    unsigned all;     /* of all that count on it */
    unsigned pending; /* of those that are pending under the new numbering */
    unsigned needed;
};

static void
find_stand_ins(const struct waits *waits, uint32_t at, unsigned mask, struct stand_in *stand_ins)
{
    const struct pending *before = &waits->before, *after = &waits->after;

    for (uint32_t i = 0; i < before->list.count; i++) {
        uint32_t producer = before->list.at[i];
        unsigned number = before->numbers[producer];
        struct stand_in *to = &stand_ins[number];
        if (!(mask >> number & 1))
            continue;
        to->was_busy = true;
        if (producer == waits->code->stack_load)
            continue;
        unsigned bit = 1u << after->numbers[producer];
        unsigned pending = after->holds[producer] ? bit : 0;
        to->all |= bit;
        to->pending |= pending;
        if (conflicts(waits->code, producer, at)) {
            to->is_needed = true;
            to->needed |= pending;
        }
    }
}

/* Who takes a scoreboard that something still counts on waits for that reason alone; with new
   numbers there may be none. */
static unsigned
carried_over(const struct waits *waits, uint32_t at, unsigned number, const struct stand_in *to)
{
    bool is_one = (to->all & (to->all - 1)) == 0;

    if (!to->is_needed && scoreboard_mask(&waits->code->instructions[at]) >> number & 1)
        return to->pending & own_numbers(waits, at);
    return is_one || !to->is_needed ? to->pending : to->needed;
}

static unsigned
new_mask(struct waits *waits, uint32_t at)
{
    unsigned old = wait_mask(&waits->code->instructions[at]), mask = waits->overdue[at];
    struct stand_in stand_ins[SCOREBOARDS + 2] = {{0}};

    if (old)
        find_stand_ins(waits, at, old, stand_ins);
    for (unsigned left = old; left; left &= left - 1) {
        unsigned number = (unsigned)__builtin_ctz(left);
        waits->has_idle_bits |= !stand_ins[number].was_busy;
        mask |= carried_over(waits, at, number, &stand_ins[number]);
    }
    if (waits->ahead)
        mask |= additional_waits(&waits->before, &waits->after, at, waits_for_all(waits->code, at));
    spend(waits->code, 1 + waits->before.list.count);
    return old == ALL_SCOREBOARDS ? old : mask;
}

static void
issue(struct waits *waits, uint32_t at)
{
    for (uint32_t p = waits->code->first_producer[at]; p < producers_end(waits->code, at); p++) {
        pending_add(&waits->before, p);
        if (p != waits->code->stack_load)
            pending_add(&waits->after, p);
    }
}

static void
pass_before(struct waits *waits, uint32_t block)
{
    pending_clear(&waits->before);
    pending_add_all(&waits->before, &waits->incoming_before[block]);
    pending_pass(&waits->before, &waits->summaries[block]);
    spend(waits->code, 1);
}

/* Is everything the same under both numberings, in the block and where it begins? */
static bool
is_in_step(const struct waits *waits, uint32_t block)
{
    const struct code *code = waits->code;
    const struct pending *before = &waits->before, *after = &waits->after;
    uint32_t end = producers_end(code, code->blocks[block].last);

    if (waits->ahead || before->list.count != after->list.count ||
        (code->is_guarded && waits->overdue[code->blocks[block].last]))
        return false;
    for (uint32_t i = 0; i < after->list.count; i++)
        if (before->numbers[after->list.at[i]] != after->numbers[after->list.at[i]])
            return false;
    for (uint32_t p = code->first_producer[code->blocks[block].first]; p < end; p++)
        if (before->numbers[p] != after->numbers[p])
            return false;
    return true;
}

/* The same masks, without what nothing is pending on. */
static void
pass_in_step(struct waits *waits, uint32_t block)
{
    const struct code *code = waits->code;
    unsigned busy = 0;

    for (uint32_t i = 0; i < waits->before.list.count; i++)
        busy |= 1u << waits->before.numbers[waits->before.list.at[i]];
    for (uint32_t i = code->next_event[code->blocks[block].first]; i <= code->blocks[block].last;
         i = code->next_event[i + 1]) {
        unsigned old = wait_mask(&code->instructions[i]);
        waits->has_idle_bits |= (old & ~busy) != 0;
        waits->masks[i] =
            (uint8_t)((old == ALL_SCOREBOARDS ? old : old & busy) | waits->overdue[i]);
        if (!keeps_pending(code, i))
            busy &= ~old;
        busy |= scoreboard_mask(&code->instructions[i]);
        spend(code, 1);
    }
    pending_pass(&waits->after, &waits->summaries[block]);
}

static void
walk_both(struct waits *waits, uint32_t block)
{
    const struct code *code = waits->code;
    struct pending *before = &waits->before, *after = &waits->after;
    uint32_t i = code->blocks[block].first, last = code->blocks[block].last;

    pending_clear(before);
    pending_clear(after);
    pending_add_all(before, &waits->incoming_before[block]);
    pending_add_all(after, &waits->incoming_after[block]);
    waits->ahead = pending_ahead(after, before);
    memset(waits->masks + i, 0, last - i + 1);
    if (is_in_step(waits, block)) {
        pass_in_step(waits, block);
        return;
    }
    for (i = waits->ahead ? i : code->next_event[i]; i <= last && !is_spent(code);
         i = waits->ahead ? i + 1 : code->next_event[i + 1]) {
        unsigned old = wait_mask(&code->instructions[i]), mask = new_mask(waits, i);
        waits->masks[i] = (uint8_t)mask;
        if ((old | mask) && !keeps_pending(code, i)) {
            pending_wait(before, old);
            pending_wait(after, mask);
            waits->ahead = pending_ahead(after, before);
        }
        issue(waits, i);
    }
}

static void
enqueue(struct waits *waits, uint32_t block)
{
    if (waits->is_queued[block] || block >= waits->code->block_count)
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
        const struct producer_list *incoming = &waits->incoming_before[b];
        unsigned busy = 0;
        for (uint32_t k = 0; k < incoming->count; k++)
            busy |= 1u << code->numbers[incoming->at[k]];
        for (uint32_t i = code->next_event[code->blocks[b].first]; i <= code->blocks[b].last;
             i = code->next_event[i + 1]) {
            unsigned mask = wait_mask(&code->instructions[i]);
            for (unsigned idle = mask & ~busy; idle; idle &= idle - 1)
                waits->masks[i] |= (uint8_t)(1u << latest[__builtin_ctz(idle)]);
            if (!keeps_pending(code, i))
                busy &= ~mask;
            busy |= scoreboard_mask(&code->instructions[i]);
            for (uint32_t p = code->first_producer[i]; p < producers_end(code, i); p++)
                if (p != code->stack_load)
                    latest[code->numbers[p]] = waits->after.numbers[p];
        }
    }
}

/* Is there a wait that part of a warp may pass by? */
static bool
has_passed_waits(const struct code *code)
{
    for (uint32_t l = 0; l < code->landmark_count; l++)
        if (keeps_pending(code, code->landmarks[l]))
            return true;
    return false;
}

/* Is the same pending under both numberings where control goes on behind what is looked at? */
static bool
are_exits_in_step(struct waits *waits)
{
    const struct code *code = waits->code;
    struct pending *before = &waits->before;

    for (uint32_t b = code->block_count; b < code->block_count + code->exit_count; b++) {
        const struct producer_list *after = &waits->incoming_after[b];

        pending_clear(before);
        pending_add_all(before, &waits->incoming_before[b]);
        if (before->list.count != after->count)
            return false;
        for (uint32_t i = 0; i < after->count; i++)
            if (!before->holds[after->at[i]] ||
                before->numbers[after->at[i]] != waits->after.numbers[after->at[i]])
                return false;
    }
    return true;
}

/* Where nothing is looked at, do waits stay what they are even if nothing is pending that they are for?
   They follow the producer that last had the scoreboard: see carry_idle_bits. */
static bool
keeps_idle_bits(const struct waits *waits)
{
    const struct code *code = waits->code;
    unsigned moved = 0; /* scoreboards whose last producer has another one now */

    for (uint32_t p = 0; p < code->producer_count; p++) {
        unsigned bit = 1u << code->numbers[p];
        if (p != code->stack_load)
            moved = waits->after.numbers[p] == code->numbers[p] ? moved & ~bit : moved | bit;
    }
    for (uint32_t i = code->count; moved && i < code->whole_count; i++) {
        struct instruction one = read_instruction(code->text.at + (size_t)i * INSTRUCTION_SIZE);
        if (wait_mask(&one) & moved)
            return false;
        moved &= ~scoreboard_mask(&one);
    }
    return true;
}

uint8_t *
allocate_waits(const struct code *code, struct new_scoreboards *renewed)
{
    size_t blocks = (size_t)code->block_count + code->exit_count;
    struct waits waits = {
        .code = code,
        .incoming_before = arena_array(code->arena, blocks, sizeof(struct producer_list)),
        .incoming_after = arena_array(code->arena, blocks, sizeof(struct producer_list)),
        .is_queued = arena_array(code->arena, blocks, 1),
        .masks = arena_array(code->arena, code->count, 1),
        .overdue = renewed->overdue,
        .summaries = has_passed_waits(code) ? summarise_blocks(code, false) : renewed->summaries,
    };
    pending_init(&waits.before, code, code->numbers);
    pending_init(&waits.after, code, renewed->numbers);
    if (!settle(&waits, &waits.before, waits.incoming_before, pass_before) ||
        !settle(&waits, &waits.after, waits.incoming_after, walk_both))
        return NULL;
    if (waits.has_idle_bits)
        carry_idle_bits(&waits);
    renewed->leaves_in_step &= are_exits_in_step(&waits) && keeps_idle_bits(&waits);
    return waits.masks;
}
