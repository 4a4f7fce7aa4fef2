#include "schedule/order.h"

/*
 * Arms of a branch that meet again avoid what those before them left pending where they meet. Which arm
 * comes first only the numbers as they came tell: each took the lowest that was free, so the arms go by
 * their numbers. Where these tell nothing, the target of a branch comes before what follows it.
 */
struct order {
    const struct code *code;
    const struct block_summary *summaries;
    uint32_t *blocks, count; /* in order, as far as anything leads to them */
    uint32_t *places;        /* block -> where it is in that; NOWHERE */
    uint32_t *dominators; /* block -> the last one that is on all ways to it; once anybody asks */
    uint8_t *preferences; /* block that branches -> which arm comes first */
    bool has_preferences;
};

enum preference { TELLS_NOTHING, TARGET_FIRST, NEXT_FIRST };

#define NOWHERE UINT32_MAX

/* A walk goes down the last arm first: what it has come to the end of is read backwards. */
static uint32_t
next_down(const struct order *order, uint32_t b, uint32_t taken)
{
    const struct block *block = &order->code->blocks[b];

    if (order->preferences[b] == NEXT_FIRST)
        taken = 1 - taken;
    return order->code->successors[block->first_successor + taken];
}

static void
walk_in_depth(struct order *order)
{
    const struct code *code = order->code;
    uint32_t *way = arena_alloc(code->arena, (size_t)code->block_count * sizeof *way);
    uint32_t *taken = arena_array(code->arena, code->block_count, sizeof *taken);
    uint8_t *is_seen = arena_array(code->arena, code->block_count, 1);
    uint32_t depth = 0, left = order->count;

    way[depth++] = 0;
    is_seen[0] = 1;
    while (depth) {
        uint32_t b = way[depth - 1];
        if (taken[b] == code->blocks[b].successor_count) {
            order->blocks[--left] = b;
            depth--;
            continue;
        }
        uint32_t next = next_down(order, b, taken[b]++);
        if (next < code->block_count && !is_seen[next]) {
            is_seen[next] = 1;
            way[depth++] = next;
        }
    }
    order->count -= left;
    memmove(order->blocks, order->blocks + left, order->count * sizeof *order->blocks);
}

static void
note_places(struct order *order)
{
    for (uint32_t b = 0; b < order->code->block_count; b++)
        order->places[b] = NOWHERE;
    for (uint32_t i = 0; i < order->count; i++)
        order->places[order->blocks[i]] = i;
}

/* The last block that is on all ways to both. */
static uint32_t
common_dominator(const struct order *order, uint32_t a, uint32_t b)
{
    while (a != b) {
        spend(order->code, 1);
        if (order->places[a] < order->places[b])
            b = order->dominators[b];
        else
            a = order->dominators[a];
    }
    return a;
}

static uint32_t
find_dominator(const struct order *order, uint32_t b)
{
    const struct block *block = &order->code->blocks[b];
    uint32_t dominator = NOWHERE;

    for (uint32_t p = 0; p < block->predecessor_count; p++) {
        uint32_t from = order->code->predecessors[block->first_predecessor + p];
        if (order->places[from] == NOWHERE || order->dominators[from] == NOWHERE)
            continue;
        dominator = dominator == NOWHERE ? from : common_dominator(order, dominator, from);
    }
    return dominator;
}

static void
find_dominators(struct order *order)
{
    const struct code *code = order->code;
    bool has_changed = true;

    order->dominators = arena_alloc(code->arena, code->block_count * sizeof *order->dominators);
    for (uint32_t b = 0; b < code->block_count; b++)
        order->dominators[b] = NOWHERE;
    order->dominators[0] = 0;
    while (has_changed && !is_spent(code)) {
        has_changed = false;
        spend(code, order->count);
        for (uint32_t i = 1; i < order->count; i++) {
            uint32_t b = order->blocks[i], dominator = find_dominator(order, b);
            has_changed |= order->dominators[b] != dominator;
            order->dominators[b] = dominator;
        }
    }
}

/* The arm with the first block comes before the one with the second. */
static void
prefer(struct order *order, uint32_t first, uint32_t second)
{
    const struct code *code = order->code;

    if (!order->dominators)
        find_dominators(order);
    uint32_t branch = common_dominator(order, first, second);
    const struct block *block = &code->blocks[branch];

    if (block->successor_count != 2 || branch == first || branch == second ||
        order->preferences[branch] != TELLS_NOTHING)
        return;
    while (order->dominators[first] != branch)
        first = order->dominators[first];
    order->has_preferences = true;
    if (first == code->successors[block->first_successor])
        order->preferences[branch] = NEXT_FIRST;
    else if (first == code->successors[block->first_successor + 1])
        order->preferences[branch] = TARGET_FIRST;
}

/* Arms that meet in a block, by the numbers that they leave. Where two leave the same, none was free any
   more for one of them; which one is not known. */
static void
order_arms(struct order *order, uint32_t meeting)
{
    const struct block *block = &order->code->blocks[meeting];
    uint32_t by_number[SCOREBOARDS + 1], last = NOWHERE;

    for (unsigned i = 0; i <= SCOREBOARDS; i++)
        by_number[i] = NOWHERE;
    for (uint32_t p = 0; p < block->predecessor_count; p++) {
        uint32_t from = order->code->predecessors[block->first_predecessor + p];
        unsigned number = lowest_left(&order->summaries[from]);
        if (order->places[from] > order->places[meeting])
            continue;
        if (number < SCOREBOARDS && by_number[number] != NOWHERE)
            return;
        by_number[number] = from;
    }
    for (unsigned i = 0; i < SCOREBOARDS; i++) {
        if (by_number[i] == NOWHERE)
            continue;
        if (last != NOWHERE)
            prefer(order, last, by_number[i]);
        last = by_number[i];
    }
}

static void
find_preferences(struct order *order)
{
    for (uint32_t i = 1; i < order->count && !is_spent(order->code); i++)
        if (order->code->blocks[order->blocks[i]].predecessor_count > 1)
            order_arms(order, order->blocks[i]);
}

/* Those to which nothing leads come last. */
const uint32_t *
find_order(const struct code *code, const struct block_summary *summaries)
{
    size_t size = (size_t)code->block_count * sizeof(uint32_t);
    struct order order = {
        .code = code,
        .summaries = summaries,
        .blocks = arena_alloc(code->arena, size),
        .count = code->block_count,
        .places = arena_alloc(code->arena, size),
        .preferences = arena_array(code->arena, code->block_count, 1),
    };

    walk_in_depth(&order);
    note_places(&order);
    find_preferences(&order);
    if (order.has_preferences) {
        order.count = code->block_count;
        walk_in_depth(&order);
    }
    for (uint32_t b = 0; b < code->block_count; b++)
        if (order.places[b] == NOWHERE)
            order.blocks[order.count++] = b;
    return order.blocks;
}
