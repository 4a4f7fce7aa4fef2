#include "layout/reach_sets.h"

#include <stdlib.h>

#define IS_SET ((uint32_t)1 << 31)

struct builder {
    struct arena *arena;
    const struct call_graph *graph;
    struct reach_sets *sets;
    struct name_map known; /* sets by their parts; index is the set */
    uint32_t *function_of; /* node -> place in the question + 1 */
    ARRAY(uint32_t) parts; /* of the component at hand */
};

static int
compare_parts(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

/* Orders the parts and removes doubles. */
static void
normalise(struct builder *builder)
{
    uint32_t left = 0;

    if (builder->parts.count)
        qsort(builder->parts.at, builder->parts.count, sizeof *builder->parts.at, compare_parts);
    for (uint32_t i = 0; i < builder->parts.count; i++)
        if (!left || builder->parts.at[left - 1] != builder->parts.at[i])
            builder->parts.at[left++] = builder->parts.at[i];
    builder->parts.count = left;
}

static uint32_t
add_set(struct builder *builder)
{
    struct reach_sets *sets = builder->sets;
    struct arena *arena = builder->arena;
    uint32_t set = sets->sets.count;

    array_push(&sets->sets, arena, ((struct reach_set){sets->parts.count, builder->parts.count}));
    for (uint32_t i = 0; i < builder->parts.count; i++)
        array_push(&sets->parts, arena, builder->parts.at[i]);
    return set;
}

/* The set of these parts, made now if there is none. */
static uint32_t
find_set(struct builder *builder)
{
    normalise(builder);
    if (!builder->parts.count)
        return EMPTY_SET;
    if (builder->parts.count == 1 && builder->parts.at[0] & IS_SET)
        return builder->parts.at[0] & ~IS_SET;
    size_t size = builder->parts.count * sizeof *builder->parts.at;
    const char *key = arena_text(builder->arena, (const char *)builder->parts.at, size);
    uint32_t id = name_map_add_hashed(&builder->known, key, size, name_hash(key, size));
    struct name *name = name_at(&builder->known, id);
    if (!name->index)
        name->index = (int32_t)add_set(builder);
    return (uint32_t)name->index;
}

static void
add_parts_of_node(struct builder *builder, uint32_t node)
{
    const struct call_graph *graph = builder->graph;
    struct arena *arena = builder->arena;

    if (builder->function_of[node])
        array_push(&builder->parts, arena, builder->function_of[node] - 1);
    for (uint32_t e = graph->callees.start[node]; e < graph->callees.start[node + 1]; e++) {
        uint32_t component = graph->component[graph->callees.to[e]];
        uint32_t set = builder->sets->set_of[component];
        if (component != graph->component[node] && set != EMPTY_SET)
            array_push(&builder->parts, arena, set | IS_SET);
    }
}

struct reach_sets *
reach_sets_build(struct arena *arena, const struct call_graph *graph, const uint32_t *functions,
                 uint32_t count)
{
    struct builder builder = {
        .arena = arena,
        .graph = graph,
        .sets = arena_zero(arena, sizeof *builder.sets),
        .function_of = arena_array(arena, (size_t)graph->node_count + 1, sizeof(uint32_t)),
    };
    struct reach_sets *sets = builder.sets;

    name_map_init(&builder.known, arena, 64);
    array_push(&sets->sets, arena, ((struct reach_set){0}));
    sets->set_of = arena_array(arena, (size_t)graph->component_count + 1, sizeof(uint32_t));
    for (uint32_t i = 0; i < count; i++)
        builder.function_of[functions[i]] = i + 1;
    for (uint32_t i = 0; i < graph->order_count;) {
        uint32_t component = graph->component[graph->order[i]];

        builder.parts.count = 0;
        for (; i < graph->order_count && graph->component[graph->order[i]] == component; i++)
            add_parts_of_node(&builder, graph->order[i]);
        sets->set_of[component] = find_set(&builder);
    }
    sets->function_stamps = arena_array(arena, (size_t)count + 1, sizeof(uint32_t));
    sets->set_stamps = arena_array(arena, sets->sets.count, sizeof(uint32_t));
    sets->pending = arena_array(arena, sets->sets.count, sizeof(uint32_t));
    return sets;
}

uint32_t
reach_set_members(struct reach_sets *sets, uint32_t set, uint32_t *out)
{
    uint32_t count = 0, pending = 0;

    if (set == EMPTY_SET)
        return 0;
    sets->stamp++;
    sets->pending[pending++] = set;
    sets->set_stamps[set] = sets->stamp;
    while (pending) {
        struct reach_set at = sets->sets.at[sets->pending[--pending]];

        for (uint32_t i = at.first; i < at.first + at.count; i++) {
            uint32_t part = sets->parts.at[i];
            uint32_t *stamp =
                part & IS_SET ? &sets->set_stamps[part & ~IS_SET] : &sets->function_stamps[part];
            if (*stamp == sets->stamp)
                continue;
            *stamp = sets->stamp;
            if (part & IS_SET)
                sets->pending[pending++] = part & ~IS_SET;
            else
                out[count++] = part;
        }
    }
    return count;
}
