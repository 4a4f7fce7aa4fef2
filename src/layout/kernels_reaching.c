#include "layout/call_graph.h"

#include <stdlib.h>

/*
 * Which kernels reach which functions: 64 functions at a time, a bit each. The bits travel from
 * the functions up to their callers, component by component; only ancestors are visited.
 */
enum { BATCH = 64 };

struct reach {
    const struct call_graph *graph;
    uint64_t *mask;  /* per component */
    uint32_t *stamp; /* per node: the last batch that visited it */
    uint32_t *found; /* ancestors of this batch */
    uint32_t found_count;
    uint32_t *position; /* of a node in graph->order */
};

static void
collect_ancestors(struct reach *reach, uint32_t node, uint32_t batch)
{
    if (reach->stamp[node] == batch)
        return;
    uint32_t next = reach->found_count;
    reach->stamp[node] = batch;
    reach->found[reach->found_count++] = node;
    for (; next < reach->found_count; next++) {
        uint32_t at = reach->found[next];
        for (uint32_t e = reach->graph->callers.start[at]; e < reach->graph->callers.start[at + 1];
             e++) {
            uint32_t caller = reach->graph->callers.to[e];
            if (reach->stamp[caller] == batch)
                continue;
            reach->stamp[caller] = batch;
            reach->found[reach->found_count++] = caller;
        }
    }
}

static int
compare_u32(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

/* Turns the ancestors into positions of the callees-first order and walks them. */
static void
propagate(struct reach *reach)
{
    const struct call_graph *graph = reach->graph;

    for (uint32_t i = 0; i < reach->found_count; i++)
        reach->found[i] = reach->position[reach->found[i]];
    qsort(reach->found, reach->found_count, sizeof *reach->found, compare_u32);
    /* Members of a component stand side by side and share a mask, and a mask is passed on only to
       later components: when the first caller outside takes it, it is complete. */
    for (uint32_t i = 0; i < reach->found_count; i++) {
        uint32_t node = graph->order[reach->found[i]];
        for (uint32_t e = graph->callees.start[node]; e < graph->callees.start[node + 1]; e++)
            reach->mask[graph->component[node]] |=
                reach->mask[graph->component[graph->callees.to[e]]];
    }
}

static void
clear_masks(struct reach *reach)
{
    for (uint32_t i = 0; i < reach->found_count; i++) {
        uint32_t node = reach->graph->order[reach->found[i]];
        reach->mask[reach->graph->component[node]] = 0;
    }
    reach->found_count = 0;
}

struct pair {
    uint32_t function; /* its place in the question */
    uint32_t kernel;
};

static int
compare_pairs(const void *a, const void *b)
{
    const struct pair *x = a, *y = b;

    if (x->function != y->function)
        return x->function < y->function ? -1 : 1;
    return x->kernel < y->kernel ? -1 : x->kernel > y->kernel;
}

typedef ARRAY(struct pair) pair_list;

static bool
is_root(const struct elfw *elfw, uint32_t function)
{
    return elfw_function_is_entry(elfw, function) || elfw_function_is_defined_entry(elfw, function);
}

/* A function under a name of the driver's that counts as a kernel does so for what it calls. */
static bool
counts_for(const struct elfw *elfw, const struct call_graph *graph, uint32_t kernel,
           uint32_t function)
{
    return kernel != function || elfw_function_is_defined_entry(elfw, kernel) ||
           call_graph_is_recursive(graph, kernel);
}

/* The kernels among the ancestors, with each function of the batch that they reach. */
static void
add_pairs(struct elfw *elfw, const struct reach *reach, const uint32_t *functions, uint32_t first,
          pair_list *pairs)
{
    const struct call_graph *graph = reach->graph;

    for (uint32_t i = 0; i < reach->found_count; i++) {
        uint32_t node = graph->order[reach->found[i]];

        if (node >= graph->function_count || !is_root(elfw, node))
            continue;
        for (uint64_t bits = reach->mask[graph->component[node]]; bits; bits &= bits - 1) {
            uint32_t place = first + (uint32_t)__builtin_ctzll(bits);
            if (counts_for(elfw, graph, node, functions[place]))
                array_push(pairs, elfw->arena, ((struct pair){place, node}));
        }
    }
}

/* `first` is the place of the batch in the question. */
static void
reach_batch(struct elfw *elfw, struct reach *reach, const uint32_t *functions, uint32_t first,
            uint32_t size, pair_list *pairs)
{
    for (uint32_t i = 0; i < size; i++)
        collect_ancestors(reach, functions[first + i], first / BATCH + 1);
    for (uint32_t i = 0; i < size; i++)
        reach->mask[reach->graph->component[functions[first + i]]] |= (uint64_t)1 << i;
    propagate(reach);
    add_pairs(elfw, reach, functions, first, pairs);
    clear_masks(reach);
}

/* One list for each of `count` functions. */
static struct kernel_lists
group_by_function(struct arena *arena, pair_list pairs, uint32_t count)
{
    struct kernel_lists lists = {
        .start = arena_array(arena, (size_t)count + 1, sizeof(uint32_t)),
        .kernels = arena_array(arena, (size_t)pairs.count + 1, sizeof(uint32_t)),
    };

    if (pairs.count)
        qsort(pairs.at, pairs.count, sizeof *pairs.at, compare_pairs);
    for (uint32_t i = 0; i < pairs.count; i++) {
        lists.kernels[i] = pairs.at[i].kernel;
        lists.start[pairs.at[i].function + 1]++;
    }
    for (uint32_t i = 0; i < count; i++)
        lists.start[i + 1] += lists.start[i];
    return lists;
}

struct kernel_lists
call_graph_kernels_reaching(struct elfw *elfw, const struct call_graph *graph,
                            const uint32_t *functions, uint32_t count)
{
    size_t nodes = (size_t)graph->node_count + 1;
    struct arena *arena = elfw->arena;
    struct reach reach = {
        .graph = graph,
        .mask = arena_array(arena, nodes, sizeof(uint64_t)),
        .stamp = arena_array(arena, nodes, sizeof(uint32_t)),
        .found = arena_array(arena, nodes, sizeof(uint32_t)),
        .position = arena_array(arena, nodes, sizeof(uint32_t)),
    };
    pair_list pairs = {0};

    for (uint32_t i = 0; i < graph->order_count; i++)
        reach.position[graph->order[i]] = i;
    for (uint32_t first = 0; first < count; first += BATCH)
        reach_batch(elfw, &reach, functions, first, count - first < BATCH ? count - first : BATCH,
                    &pairs);
    return group_by_function(arena, pairs, count);
}
