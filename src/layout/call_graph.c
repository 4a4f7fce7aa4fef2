#include "layout/call_graph.h"

static bool
is_live(const struct elfw *elfw, uint32_t ordinal)
{
    return !elfw_function(elfw, ordinal)->is_dead;
}

/* Calls `visit` for every edge of the graph, in any order. */
static void
each_edge(const struct elfw *elfw, uint32_t functions,
          void (*visit)(struct adjacency *, uint32_t from, uint32_t to), struct adjacency *out)
{
    for (uint32_t f = 1; f < functions; f++) {
        const struct function *function = elfw_function(elfw, f);

        if (function->is_dead)
            continue;
        for (uint32_t e = function->callees; e; e = elfw->edges.at[e].next)
            if (is_live(elfw, elfw->edges.at[e].to))
                visit(out, f, elfw->edges.at[e].to);
        for (uint32_t e = function->indirect_calls; e; e = elfw->edges.at[e].next)
            visit(out, f, functions + elfw->edges.at[e].to);
        /* The empty prototype is that of kernels: no call goes through it. */
        uint32_t taken = elfw_pointer_prototype(elfw, f);
        if (taken && name_at(&elfw->prototypes, taken)->length > 0)
            visit(out, functions + taken, f);
    }
}

static void
count_forward(struct adjacency *out, uint32_t from, uint32_t to)
{
    (void)to;
    out->start[from + 1]++;
}

static void
count_backward(struct adjacency *out, uint32_t from, uint32_t to)
{
    (void)from;
    out->start[to + 1]++;
}

static void
add_forward(struct adjacency *out, uint32_t from, uint32_t to)
{
    out->to[out->start[from]++] = to;
}

static void
add_backward(struct adjacency *out, uint32_t from, uint32_t to)
{
    out->to[out->start[to]++] = from;
}

static struct adjacency
build_adjacency(struct elfw *elfw, const struct call_graph *graph, bool forward)
{
    uint32_t nodes = graph->node_count;
    struct adjacency out = {.start = arena_array(elfw->arena, (size_t)nodes + 2, sizeof(uint32_t))};

    /* Counts, then sums, then a fill that moves each start to its end, then a shift back. */
    each_edge(elfw, graph->function_count, forward ? count_forward : count_backward, &out);
    for (uint32_t n = 0; n < nodes; n++)
        out.start[n + 1] += out.start[n];
    out.to = arena_array(elfw->arena, (size_t)out.start[nodes] + 1, sizeof *out.to);
    each_edge(elfw, graph->function_count, forward ? add_forward : add_backward, &out);
    memmove(out.start + 1, out.start, (size_t)nodes * sizeof *out.start);
    out.start[0] = 0;
    return out;
}

/* Tarjan's algorithm with an explicit stack: call chains of any depth. */
struct tarjan {
    struct call_graph *graph;
    uint32_t *index; /* 0: not visited */
    uint32_t *low;
    uint32_t *next_edge;
    bool *on_stack;
    uint32_t *stack, *path;
    uint32_t stack_count, path_count, counter;
};

static void
tarjan_enter(struct tarjan *t, uint32_t node)
{
    t->index[node] = t->low[node] = ++t->counter;
    t->next_edge[node] = t->graph->callees.start[node];
    t->stack[t->stack_count++] = node;
    t->on_stack[node] = true;
    t->path[t->path_count++] = node;
}

static void
tarjan_close_component(struct tarjan *t, uint32_t root)
{
    struct call_graph *graph = t->graph;
    uint32_t first = graph->order_count;
    uint32_t node;

    do {
        node = t->stack[--t->stack_count];
        t->on_stack[node] = false;
        graph->component[node] = graph->component_count;
        graph->order[graph->order_count++] = node;
    } while (node != root);

    bool cycle = graph->order_count - first > 1;
    for (uint32_t i = first; i < graph->order_count; i++) {
        uint32_t member = graph->order[i];
        for (uint32_t e = graph->callees.start[member]; e < graph->callees.start[member + 1]; e++) {
            uint32_t to = graph->callees.to[e];
            cycle |= to == member || graph->reaches_cycle[graph->component[to]];
        }
    }
    graph->reaches_cycle[graph->component_count++] = cycle;
}

static void
tarjan_visit(struct tarjan *t, uint32_t start)
{
    const struct adjacency *callees = &t->graph->callees;

    tarjan_enter(t, start);
    while (t->path_count) {
        uint32_t node = t->path[t->path_count - 1];

        if (t->next_edge[node] < callees->start[node + 1]) {
            uint32_t to = callees->to[t->next_edge[node]++];
            if (!t->index[to])
                tarjan_enter(t, to);
            else if (t->on_stack[to] && t->index[to] < t->low[node])
                t->low[node] = t->index[to];
            continue;
        }
        t->path_count--;
        if (t->low[node] == t->index[node])
            tarjan_close_component(t, node);
        if (t->path_count) {
            uint32_t parent = t->path[t->path_count - 1];
            if (t->low[node] < t->low[parent])
                t->low[parent] = t->low[node];
        }
    }
}

static void
condense(struct elfw *elfw, struct call_graph *graph)
{
    size_t nodes = (size_t)graph->node_count + 1;
    struct arena *arena = elfw->arena, *scratch = &elfw->scratch;
    struct arena_mark before = arena_mark(scratch);
    struct tarjan t = {
        .graph = graph,
        .index = arena_array(scratch, nodes, sizeof(uint32_t)),
        .low = arena_array(scratch, nodes, sizeof(uint32_t)),
        .next_edge = arena_array(scratch, nodes, sizeof(uint32_t)),
        .on_stack = arena_array(scratch, nodes, sizeof(bool)),
        .stack = arena_array(scratch, nodes, sizeof(uint32_t)),
        .path = arena_array(scratch, nodes, sizeof(uint32_t)),
    };

    graph->order = arena_array(arena, nodes, sizeof(uint32_t));
    graph->component = arena_array(arena, nodes, sizeof(uint32_t));
    graph->reaches_cycle = arena_array(arena, nodes, sizeof(bool));
    for (uint32_t n = 1; n < graph->node_count; n++) {
        bool is_function = n < graph->function_count;
        if (!t.index[n] && (!is_function || is_live(elfw, n)))
            tarjan_visit(&t, n);
    }
    arena_release(scratch, before);
}

static void
collect_kernels(struct elfw *elfw, struct call_graph *graph)
{
    graph->kernels = arena_array(elfw->arena, graph->function_count, sizeof(uint32_t));
    for (uint32_t f = 1; f < graph->function_count; f++)
        if (is_live(elfw, f) && elfw_function_is_entry(elfw, f))
            graph->kernels[graph->kernel_count++] = f;
}

bool
call_graph_is_recursive(const struct call_graph *graph, uint32_t function)
{
    for (uint32_t e = graph->callees.start[function]; e < graph->callees.start[function + 1]; e++)
        if (graph->component[graph->callees.to[e]] == graph->component[function])
            return true;
    return false;
}

struct call_graph *
call_graph_build(struct elfw *elfw)
{
    struct call_graph *graph = arena_zero(elfw->arena, sizeof *graph);

    graph->function_count = elfw->functions.count;
    graph->node_count = graph->function_count + elfw->prototypes.names.count;
    graph->callees = build_adjacency(elfw, graph, true);
    graph->callers = build_adjacency(elfw, graph, false);
    condense(elfw, graph);
    collect_kernels(elfw, graph);
    return graph;
}
