#include "mercury/idle_waits.h"

#include "base/arena.h"
#include "mercury/control_bits.h"
#include "schedule/blocks.h"
#include "schedule/opcodes.h"

/*
 * The reason of a wait is looked for backwards, from block to block, until one is found. Of registers sieves are
 * compared (operands.h), which may hold one too many: a wait may be believed to have a reason that it has not.
 */
#define NO_BLOCK UINT32_MAX

enum { WORD_BITS = 64 };

/* How far back one is. Compilers wait once more where they did so at the end of a block, so that what the last wait
   before was for is a reason, too. */
enum distance { UNDER_WAY, WAITED_FOR, WAITED_FOR_SOME, DISTANCES };

/* An instruction that has scoreboards or waits. */
struct event {
    uint32_t at;
    uint8_t takes, waits; /* scoreboards */
    uint8_t touches;      /* both */
    bool is_read;         /* what is below is known */
    bool is_for_all;      /* anything may wait for it */
    struct sieves sieves;
};

struct stretch {
    uint32_t first_event, events_end;
    uint32_t first_branch; /* the blocks that branch here, each naming the next */
    uint32_t next_branch;
};

struct wait_flow {
    struct bytes text;
    uint32_t count; /* instructions */
    uint32_t block_count, event_count;
    uint32_t *branches, branch_count;
    uint64_t *starts;        /* a bit for each instruction with which a block begins */
    uint32_t *blocks_before; /* how many begin before those of a word of it */
    struct stretch *blocks;
    struct event *events;
    /* Of the search that goes on: its number, where it was, where it has to go. */
    uint32_t search;
    uint32_t *seen;
    struct step {
        uint32_t block;
        enum distance distance;
    } * steps;
    int64_t effort; /* that is left */
};

static struct instruction
instruction_at(const struct wait_flow *flow, uint32_t at)
{
    return read_instruction(flow->text.at + (size_t)at * INSTRUCTION_SIZE);
}

/* ---- blocks ---- */

static bool
is_start(const struct wait_flow *flow, uint32_t at)
{
    return flow->starts[at / WORD_BITS] >> at % WORD_BITS & 1;
}

static void
add_start(struct wait_flow *flow, int64_t at)
{
    if (at >= 0 && at < flow->count)
        flow->starts[at / WORD_BITS] |= (uint64_t)1 << at % WORD_BITS;
}

static uint32_t
block_at(const struct wait_flow *flow, int64_t at)
{
    if (at < 0 || at >= flow->count)
        return NO_BLOCK;
    uint64_t begun = flow->starts[at / WORD_BITS] & (((uint64_t)2 << at % WORD_BITS) - 1);
    return flow->blocks_before[at / WORD_BITS] + (uint32_t)__builtin_popcountll(begun) - 1;
}

static bool
ends_block(unsigned opcode)
{
    return is_direct_branch(opcode) || opcode == OP_RETURN || opcode == OP_BSYNC ||
           (opcode != OP_BSSY && opcode_table[opcode].traits.flags & (IS_LANDMARK | TOUCHES_ALL));
}

/* Code that is not optimised waits for the first two scoreboards at each instruction. */
static bool
is_unoptimised(const struct instruction *instruction)
{
    enum { FIRST_TWO = 3, LONGEST = 15, YIELDS_AT = 45 };

    return wait_mask(instruction) == FIRST_TWO && stall_of(instruction) == LONGEST &&
           !(instruction->high >> YIELDS_AT & 1);
}

static bool
is_event(const struct instruction *instruction)
{
    unsigned opcode = opcode_of(instruction);

    return (instruction->high & SCOREBOARD_BITS) != NO_SCOREBOARD_BITS || opcode == OP_DEPBAR ||
           (OPCODE_MAY_HOLD_DISTANCE(opcode) && opcode_table[opcode].traits.flags & TOUCHES_ALL);
}

/* Is it a fence that waits for all? Compilers do not count on it elsewhere. */
static bool
waits_for_all(const struct instruction *instruction)
{
    unsigned opcode = opcode_of(instruction);

    return wait_mask(instruction) == ALL_SCOREBOARDS && (opcode == OP_CCTL || opcode == OP_NOP);
}

static void
add_event(struct wait_flow *flow, const struct instruction *instruction, uint32_t at)
{
    unsigned flags = opcode_table[opcode_of(instruction)].traits.flags;
    struct event *event = &flow->events[flow->event_count++];

    *event = (struct event){.at = at, .takes = (uint8_t)scoreboard_mask(instruction)};
    if (!waits_for_all(instruction))
        event->waits = (uint8_t)wait_mask(instruction);
    event->touches = event->takes | event->waits;
    if (flags & COUNTS_DOWN)
        event->touches |= (uint8_t)depbar_mask(instruction);
    if (flags & TOUCHES_ALL) { /* all is done when a function is called, and when it returns */
        event->takes = 0;
        event->touches = ALL_SCOREBOARDS;
    }
}

/* Events, and where blocks begin; false if that is not known, or nothing waits. */
static bool
find_starts(struct wait_flow *flow)
{
    unsigned waits = 0;

    add_start(flow, 0);
    for (uint32_t i = 0; i < flow->count; i++) {
        struct instruction one = instruction_at(flow, i);
        unsigned opcode = opcode_of(&one);

        if (is_event(&one)) {
            if (is_unoptimised(&one))
                return false;
            add_event(flow, &one, i);
            waits |= wait_mask(&one);
        }
        if (!OPCODE_MAY_HOLD_DISTANCE(opcode))
            continue;
        if (opcode == OP_BRX || opcode == OP_BRX_UNIFORM)
            return false;
        add_start(flow, named_place(&one, i));
        if (is_direct_branch(opcode))
            flow->branches[flow->branch_count++] = i;
        if (ends_block(opcode))
            add_start(flow, (int64_t)i + 1);
    }
    return waits;
}

static void
number_blocks(struct wait_flow *flow)
{
    for (uint32_t i = 0; i <= flow->count / WORD_BITS; i++) {
        flow->blocks_before[i] = flow->block_count;
        flow->block_count += (uint32_t)__builtin_popcountll(flow->starts[i]);
    }
}

static void
begin_block(struct wait_flow *flow, struct stretch *block, uint32_t at, uint32_t *event)
{
    while (*event < flow->event_count && flow->events[*event].at < at)
        ++*event;
    *block =
        (struct stretch){.first_event = *event, .first_branch = NO_BLOCK, .next_branch = NO_BLOCK};
}

/* Each begins where the one before it ends. */
static void
list_blocks(struct wait_flow *flow)
{
    uint32_t number = 0, event = 0;

    for (uint32_t word = 0; word <= flow->count / WORD_BITS; word++)
        for (uint64_t left = flow->starts[word]; left; left &= left - 1, number++) {
            uint32_t at = word * WORD_BITS + (uint32_t)__builtin_ctzll(left);
            begin_block(flow, &flow->blocks[number], at, &event);
            if (number)
                flow->blocks[number - 1].events_end = event;
        }
    flow->blocks[number - 1].events_end = flow->event_count;
}

/* Warps that parted meet behind BSYNC, to which it goes on anyway. */
static void
follow_branches(struct wait_flow *flow)
{
    for (uint32_t i = 0; i < flow->branch_count; i++) {
        uint32_t at = flow->branches[i], from = block_at(flow, at);
        struct instruction one = instruction_at(flow, at);
        uint32_t to = block_at(flow, branch_target(&one, at));
        if (to == NO_BLOCK)
            continue;
        flow->blocks[from].next_branch = flow->blocks[to].first_branch;
        flow->blocks[to].first_branch = from;
    }
}

/* ---- reasons ---- */

/* What may be the reason of a wait: something on that scoreboard that has one of these registers, or anything. */
struct reason {
    unsigned number;
    uint64_t of_written, of_read;   /* sieves */
    bool is_any, is_any_waited_for; /* still under way, and also what was waited for already */
};

/* What it does with registers is looked at only where that is asked. */
static const struct event *
read_event(const struct wait_flow *flow, struct event *event)
{
    if (event->is_read)
        return event;
    struct instruction one = instruction_at(flow, event->at);
    unsigned opcode = opcode_of(&one);
    const struct opcode_fields *fields = &opcode_table[opcode];

    event->is_read = true;
    event->is_for_all = !is_described(fields, &one) || fields->traits.flags & SYNCHRONISES;
    if (event->is_for_all)
        return event;
    event->sieves = sieves_of(&one);
    /* an atomic operation without a result: waits for it are for its effect */
    event->is_for_all = write_scoreboard(&one) != NO_SCOREBOARD && !event->sieves.written;
    /* of rare instructions not all operands may be known */
    event->is_for_all |= !control_rules[opcode];
    return event;
}

/* Is the event, which takes the scoreboard, a reason to wait for it? Where it is taken for results, operands have
   been read before they are there. */
static bool
is_reason(const struct wait_flow *flow, struct event *event, const struct reason *reason,
          enum distance distance)
{
    if (reason->is_any_waited_for || (reason->is_any && distance == UNDER_WAY))
        return true;
    const struct event *taker = read_event(flow, event);
    struct instruction one = instruction_at(flow, event->at);
    bool has_results = write_scoreboard(&one) == reason->number;

    return taker->is_for_all || (has_results && taker->sieves.written & reason->of_written) ||
           taker->sieves.read_late & reason->of_read;
}

enum outcome { IS_FOUND, IS_AT_END, GOES_ON };

/* From an event of a block, which is left out, back to the begin of the block. */
static enum outcome
search_block(struct wait_flow *flow, const struct stretch *block, uint32_t end,
             const struct reason *reason, enum distance *distance)
{
    flow->effort -= end - block->first_event + 1;
    for (uint32_t i = end; i-- > block->first_event;) {
        struct event *event = &flow->events[i];
        if (!(event->touches >> reason->number & 1))
            continue;
        if (event->takes >> reason->number & 1) {
            if (is_reason(flow, event, reason, *distance))
                return IS_FOUND;
            if (*distance == WAITED_FOR)
                *distance = WAITED_FOR_SOME;
        }
        if ((event->touches & ~event->takes) >> reason->number & 1 ||
            event->waits >> reason->number & 1) {
            if (*distance == WAITED_FOR_SOME)
                return IS_AT_END;
            *distance = WAITED_FOR;
        }
    }
    return GOES_ON;
}

/* One more block to be searched from its end. */
static void
add_step(struct wait_flow *flow, uint32_t *count, uint32_t block, enum distance distance)
{
    uint32_t *seen = &flow->seen[(size_t)block * DISTANCES + distance];

    if (*seen == flow->search)
        return;
    *seen = flow->search;
    flow->steps[(*count)++] = (struct step){block, distance};
}

/* All blocks that control may come from. That it goes on with the next instruction is never ruled out. */
static void
add_steps(struct wait_flow *flow, uint32_t *count, uint32_t number, enum distance distance)
{
    const struct stretch *block = &flow->blocks[number];

    for (uint32_t from = block->first_branch; from != NO_BLOCK;
         from = flow->blocks[from].next_branch)
        add_step(flow, count, from, distance);
    if (number)
        add_step(flow, count, number - 1, distance);
}

/* Once the effort is spent, a reason is believed to be there: that is so in no real function. */
static bool
is_found(struct wait_flow *flow, uint32_t block, uint32_t event, const struct reason *reason)
{
    enum distance distance = UNDER_WAY;
    enum outcome outcome = search_block(flow, &flow->blocks[block], event, reason, &distance);
    uint32_t count = 0;

    flow->search++;
    if (outcome == GOES_ON)
        add_steps(flow, &count, block, distance);
    while (count && outcome != IS_FOUND && flow->effort > 0) {
        struct step step = flow->steps[--count];
        const struct stretch *from = &flow->blocks[step.block];
        outcome = search_block(flow, from, from->events_end, reason, &step.distance);
        if (outcome == GOES_ON)
            add_steps(flow, &count, step.block, step.distance);
    }
    return outcome == IS_FOUND || flow->effort <= 0;
}

/* Those that wait for more than their registers. */
static bool
is_control(unsigned opcode)
{
    switch (opcode) {
    case OP_NOP:
    case OP_MEMBAR:
    case OP_ERRBAR:
    case OP_CGAERRBAR:
    case OP_CCTL:
    case OP_ENDCOLLECTIVE:
    case OP_BSSY:
    case OP_RETURN:
    case 0x31c: /* barriers of a block */
    case 0x31d:
    case 0xb1d:
    case 0x95c: /* traps and sleeps */
    case 0x95d:
        return true;
    }
    return opcode_table[opcode].traits.flags & (SYNCHRONISES | COUNTS_DOWN | TOUCHES_ALL) ||
           ends_block(opcode);
}

/* Does a stretch of code end with it? What is moved into the registers of a return address belongs to the
   call. */
static bool
is_before_control(const struct wait_flow *flow, uint32_t at)
{
    enum { OP_MOVE_NUMBER = 0x802, MOST_MOVES = 4 };

    if (at + 1 >= flow->count || is_start(flow, at + 1))
        return true;
    for (uint32_t next = at + 1; next < flow->count && next <= at + 1 + MOST_MOVES; next++) {
        struct instruction one = instruction_at(flow, next);
        unsigned opcode = opcode_of(&one);
        if (opcode != OP_MOVE_NUMBER)
            return opcode == OP_LEPC || is_control(opcode);
    }
    return false;
}

/* What a wait of the event for that scoreboard can be for; false: anything. */
static bool
possible_reason(struct wait_flow *flow, struct event *event, unsigned number, struct reason *reason)
{
    struct instruction one = instruction_at(flow, event->at);
    unsigned opcode = opcode_of(&one);
    const struct event *waiter = read_event(flow, event);
    bool is_before = is_before_control(flow, event->at);
    bool meets = opcode == OP_BSYNC || opcode == OP_WARPSYNC || opcode == OP_WARPSYNC_ALL ||
                 opcode_table[opcode].traits.flags & TOUCHES_ALL;
    bool is_own = event->takes >> number & 1;

    *reason = (struct reason){
        .number = number,
        .of_written = waiter->sieves.read | waiter->sieves.written,
        .of_read = waiter->sieves.written,
        .is_any = is_control(opcode) || is_before,
        .is_any_waited_for = meets || is_before || is_own,
    };
    return reason->is_any || is_own
               ? opcode != OP_ENDCOLLECTIVE
               : is_described(&opcode_table[opcode], &one) && control_rules[opcode];
}

static bool
has_idle_wait(struct wait_flow *flow, uint32_t block, uint32_t number)
{
    struct event *event = &flow->events[number];

    for (unsigned waits = event->waits; waits; waits &= waits - 1) {
        struct reason reason;
        if (possible_reason(flow, event, (unsigned)__builtin_ctz(waits), &reason) &&
            !is_found(flow, block, number, &reason))
            return true;
    }
    return false;
}

/* The first event without a reason. */
static const struct event *
find_idle_event(struct wait_flow *flow)
{
    for (uint32_t i = 0; i < flow->block_count; i++)
        for (uint32_t k = flow->blocks[i].first_event; k < flow->blocks[i].events_end; k++)
            if (flow->events[k].waits && has_idle_wait(flow, i, k))
                return &flow->events[k];
    return NULL;
}

static void
open_search(struct wait_flow *flow, struct arena *scratch)
{
    enum { LEAST_EFFORT = 100000, EFFORT_PER_EVENT = 200 };
    size_t places = (size_t)flow->block_count * DISTANCES;

    flow->seen = arena_array(scratch, places, sizeof *flow->seen);
    flow->steps = arena_alloc(scratch, places * sizeof *flow->steps);
    flow->effort = LEAST_EFFORT + (int64_t)flow->event_count * EFFORT_PER_EVENT;
}

static size_t
find_idle_place(struct wait_flow *flow, struct arena *scratch)
{
    size_t words = flow->count / WORD_BITS + 1;

    flow->starts = arena_array(scratch, words, sizeof *flow->starts);
    flow->branches = arena_alloc(scratch, flow->count * sizeof *flow->branches);
    flow->events = arena_alloc(scratch, flow->count * sizeof *flow->events);
    if (!find_starts(flow))
        return SIZE_MAX;
    flow->blocks_before = arena_alloc(scratch, words * sizeof *flow->blocks_before);
    number_blocks(flow);
    flow->blocks = arena_alloc(scratch, flow->block_count * sizeof *flow->blocks);
    list_blocks(flow);
    follow_branches(flow);
    open_search(flow, scratch);
    const struct event *idle = find_idle_event(flow);
    return idle ? (size_t)idle->at * INSTRUCTION_SIZE : SIZE_MAX;
}

size_t
find_idle_wait(struct bytes text, struct arena *scratch)
{
    enum { MOST_INSTRUCTIONS = 1 << 20 };
    size_t count = text.size / INSTRUCTION_SIZE;
    struct wait_flow flow = {.text = text, .count = (uint32_t)count};

    if (!count || count > MOST_INSTRUCTIONS)
        return SIZE_MAX;
    struct arena_mark mark = arena_mark(scratch);
    size_t place = find_idle_place(&flow, scratch);
    arena_release(scratch, mark);
    return place;
}
