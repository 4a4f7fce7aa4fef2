#include "mercury/wait_search.h"

#include "schedule/blocks.h"

#define NO_BLOCK UINT32_MAX

struct stretch {
    uint32_t first_event, events_end;
    uint32_t first_branch; /* the blocks that branch here, each naming the next */
    uint32_t next_branch;
};

struct search {
    const struct wait_flow *flow;
    uint32_t block_count;
    uint32_t *blocks_before; /* how many begin before those of a word of flow.starts */
    struct stretch *blocks;
    uint32_t number; /* of the search that goes on; where it was, where it has to go: */
    uint32_t *seen;
    struct step {
        uint32_t block;
        enum distance distance;
    } * steps;
    int64_t effort; /* that is left */
};

/* ---- blocks ---- */

static uint32_t
block_at(const struct search *search, int64_t at)
{
    if (at < 0 || at >= search->flow->count)
        return NO_BLOCK;
    uint64_t begun = search->flow->starts[at / WORD_BITS] & (((uint64_t)2 << at % WORD_BITS) - 1);
    return search->blocks_before[at / WORD_BITS] + (uint32_t)__builtin_popcountll(begun) - 1;
}

static void
number_blocks(struct search *search)
{
    for (uint32_t i = 0; i <= search->flow->count / WORD_BITS; i++) {
        search->blocks_before[i] = search->block_count;
        search->block_count += (uint32_t)__builtin_popcountll(search->flow->starts[i]);
    }
}

static void
begin_block(const struct wait_flow *flow, struct stretch *block, uint32_t at, uint32_t *event)
{
    while (*event < flow->event_count && flow->events[*event].at < at)
        ++*event;
    *block =
        (struct stretch){.first_event = *event, .first_branch = NO_BLOCK, .next_branch = NO_BLOCK};
}

/* Each begins where the one before it ends. */
static void
list_blocks(struct search *search)
{
    const struct wait_flow *flow = search->flow;
    uint32_t number = 0, event = 0;

    for (uint32_t word = 0; word <= flow->count / WORD_BITS; word++)
        for (uint64_t left = flow->starts[word]; left; left &= left - 1, number++) {
            uint32_t at = word * WORD_BITS + (uint32_t)__builtin_ctzll(left);
            begin_block(flow, &search->blocks[number], at, &event);
            if (number)
                search->blocks[number - 1].events_end = event;
        }
    search->blocks[number - 1].events_end = flow->event_count;
}

/* Warps that parted meet behind BSYNC, to which it goes on anyway. */
static void
follow_branches(struct search *search)
{
    const struct wait_flow *flow = search->flow;

    for (uint32_t i = 0; i < flow->turn_count; i++) {
        uint32_t at = flow->turns[i], from = block_at(search, at);
        struct instruction one = instruction_of(flow, at);
        uint32_t to = block_at(search, branch_target(&one, at));
        if (to == NO_BLOCK)
            continue;
        search->blocks[from].next_branch = search->blocks[to].first_branch;
        search->blocks[to].first_branch = from;
    }
}

static void
open_search(struct search *search, struct arena *scratch)
{
    enum { LEAST_EFFORT = 100000, EFFORT_PER_EVENT = 200 };
    const struct wait_flow *flow = search->flow;
    size_t words = flow->count / WORD_BITS + 1;

    search->blocks_before = arena_alloc(scratch, words * sizeof *search->blocks_before);
    number_blocks(search);
    search->blocks = arena_alloc(scratch, search->block_count * sizeof *search->blocks);
    list_blocks(search);
    follow_branches(search);

    size_t places = (size_t)search->block_count * DISTANCES;
    search->seen = arena_array(scratch, places, sizeof *search->seen);
    search->steps = arena_alloc(scratch, places * sizeof *search->steps);
    search->effort = LEAST_EFFORT + (int64_t)flow->event_count * EFFORT_PER_EVENT;
}

/* ---- the way back ---- */

enum outcome { IS_FOUND, IS_AT_END, GOES_ON };

/* From an event of a block, which is left out, back to the begin of the block. */
static enum outcome
search_block(struct search *search, const struct stretch *block, uint32_t end,
             struct reason *reason, enum distance *distance)
{
    search->effort -= end - block->first_event + 1;
    for (uint32_t i = end; i-- > block->first_event;) {
        struct event *event = &search->flow->events[i];
        if (event->takes >> reason->number & 1) {
            if (is_reason(search->flow, event, reason, *distance))
                return IS_FOUND;
            if (*distance == WAITED_FOR)
                *distance = WAITED_FOR_SOME;
        }
        if (event->done >> reason->number & 1) {
            if (*distance == WAITED_FOR_SOME)
                return IS_AT_END;
            *distance = WAITED_FOR;
        }
    }
    return GOES_ON;
}

/* One more block to be searched from its end. */
static void
add_step(struct search *search, uint32_t *count, uint32_t block, enum distance distance)
{
    uint32_t *seen = &search->seen[(size_t)block * DISTANCES + distance];

    if (*seen == search->number)
        return;
    *seen = search->number;
    search->steps[(*count)++] = (struct step){block, distance};
}

/* All blocks that control may come from. That it goes on with the next instruction is never ruled out. */
static void
add_steps(struct search *search, uint32_t *count, uint32_t number, enum distance distance)
{
    const struct stretch *block = &search->blocks[number];

    for (uint32_t from = block->first_branch; from != NO_BLOCK;
         from = search->blocks[from].next_branch)
        add_step(search, count, from, distance);
    if (number)
        add_step(search, count, number - 1, distance);
}

/* Once the effort is spent, a reason is believed to be there: that is so in no real function. */
static bool
is_found(struct search *search, uint32_t block, uint32_t event, struct reason *reason)
{
    enum distance distance = UNDER_WAY;
    enum outcome outcome = search_block(search, &search->blocks[block], event, reason, &distance);
    uint32_t count = 0;

    search->number++;
    if (outcome == GOES_ON)
        add_steps(search, &count, block, distance);
    while (count && outcome != IS_FOUND && search->effort > 0) {
        struct step step = search->steps[--count];
        const struct stretch *from = &search->blocks[step.block];
        outcome = search_block(search, from, from->events_end, reason, &step.distance);
        if (outcome == GOES_ON)
            add_steps(search, &count, step.block, step.distance);
    }
    return outcome == IS_FOUND || search->effort <= 0;
}

static bool
is_idle(struct search *search, const struct doubtful_wait *wait)
{
    const struct event *event = &search->flow->events[wait->event];
    uint32_t block = block_at(search, event->at);

    for (unsigned left = wait->scoreboards; left; left &= left - 1) {
        struct reason reason;
        if (reason_of_wait(search->flow, event, (unsigned)__builtin_ctz(left), &reason) &&
            !is_found(search, block, wait->event, &reason))
            return true;
    }
    return false;
}

const struct doubtful_wait *
find_idle_among(const struct wait_flow *flow, const struct doubtful_wait *waits, uint32_t count,
                struct arena *scratch)
{
    struct search search = {.flow = flow};

    open_search(&search, scratch);
    for (uint32_t i = 0; i < count; i++)
        if (is_idle(&search, &waits[i]))
            return &waits[i];
    return NULL;
}
