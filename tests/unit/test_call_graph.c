/*
 * test_call_graph.c: the condensed call graph: components, cycles, calls through prototypes, the
 * kernels that reach a function, and depth.
 */
#include "link_state.h"

#include "layout/call_graph.h"

#include "link_state.c"

/* Functions are named f1, f2, ... by their ordinals. */
static uint32_t
add_function(struct elfw *elfw, bool is_entry)
{
    int32_t index = elfw_add_symbol(
        elfw, &(struct new_symbol){.name = arena_format(elfw->arena, "f%u", elfw->functions.count),
                                   .type = STT_FUNC,
                                   .binding = STB_GLOBAL,
                                   .other = is_entry ? STO_CUDA_ENTRY : 0,
                                   .section = 1});
    uint32_t ordinal = symbol_function(elfw_get_symbol(elfw, index));

    elfw_function(elfw, ordinal)->is_kernel = is_entry;
    return ordinal;
}

static void
add_call(struct elfw *elfw, uint32_t from, uint32_t to)
{
    elfw_add_edge(elfw, &elfw_function(elfw, from)->callees, to);
}

static void
add_indirect_call(struct elfw *elfw, uint32_t from, const char *prototype)
{
    elfw_add_edge(elfw, &elfw_function(elfw, from)->indirect_calls,
                  name_map_add(&elfw->prototypes, prototype));
}

static void
take_address(struct elfw *elfw, uint32_t function, const char *prototype)
{
    elfw_function(elfw, function)->is_address_taken = true;
    elfw_function(elfw, function)->taken_prototype = name_map_add(&elfw->prototypes, prototype);
}

static struct link_state *
open_with_functions(uint32_t kernels, uint32_t functions)
{
    struct link_state *link = link_state_open("sm_75", 0);

    for (uint32_t i = 0; i < kernels + functions; i++)
        add_function(link->elfw, i < kernels);
    return link;
}

static bool
may_recurse(const struct call_graph *graph, uint32_t function)
{
    return graph->reaches_cycle[graph->component[function]];
}

/* Every node once; a callee never stands behind its caller unless they share a component. */
static void
assert_callees_first(struct elfw *elfw, const struct call_graph *graph)
{
    uint32_t *position = arena_array(elfw->arena, graph->node_count, sizeof *position);

    for (uint32_t i = 0; i < graph->order_count; i++) {
        assert_int_equal(position[graph->order[i]], 0);
        position[graph->order[i]] = i + 1;
        if (i)
            assert_true(graph->component[graph->order[i]] >= graph->component[graph->order[i - 1]]);
    }
    for (uint32_t n = 1; n < graph->node_count; n++)
        for (uint32_t e = graph->callees.start[n]; e < graph->callees.start[n + 1]; e++)
            assert_true(graph->component[graph->callees.to[e]] <= graph->component[n]);
}

/* k -> a -> b <-> c, k -> d, e -> e */
static void
test_components(void **state)
{
    enum { K = 1, A, B, C, D, E };
    struct link_state *link = open_with_functions(1, 5);
    struct elfw *elfw = link->elfw;

    (void)state;
    add_call(elfw, K, A);
    add_call(elfw, A, B);
    add_call(elfw, B, C);
    add_call(elfw, C, B);
    add_call(elfw, K, D);
    add_call(elfw, E, E);
    struct call_graph *graph = call_graph_build(elfw);

    assert_callees_first(elfw, graph);
    assert_int_equal(graph->component[B], graph->component[C]);
    assert_int_not_equal(graph->component[A], graph->component[B]);
    assert_true(may_recurse(graph, K));
    assert_true(may_recurse(graph, A));
    assert_true(may_recurse(graph, B));
    assert_true(may_recurse(graph, C));
    assert_false(may_recurse(graph, D));
    assert_true(may_recurse(graph, E));
    assert_int_equal(graph->kernel_count, 1);
    assert_int_equal(graph->kernels[0], K);
    link_state_close(link);
}

/* A diamond is no cycle; a call that is listed twice is none either. */
static void
test_diamonds_are_no_cycles(void **state)
{
    struct link_state *link = open_with_functions(1, 3);

    (void)state;
    add_call(link->elfw, 1, 2);
    add_call(link->elfw, 1, 3);
    add_call(link->elfw, 2, 4);
    add_call(link->elfw, 3, 4);
    add_call(link->elfw, 3, 4);
    struct call_graph *graph = call_graph_build(link->elfw);
    for (uint32_t f = 1; f <= 4; f++)
        assert_false(may_recurse(graph, f));
    assert_int_equal(graph->callers.start[5] - graph->callers.start[4], 3);
    link_state_close(link);
}

/* Prototypes are nodes between those who call through them and those whose address is taken. */
static void
test_prototypes_are_nodes(void **state)
{
    enum { K = 1, CALLER, ONE, TWO, OTHER };
    struct link_state *link = open_with_functions(1, 4);
    struct elfw *elfw = link->elfw;

    (void)state;
    add_call(elfw, K, CALLER);
    add_indirect_call(elfw, CALLER, "#vi");
    take_address(elfw, ONE, "#vi");
    take_address(elfw, TWO, "#vi");
    take_address(elfw, OTHER, "#vl");
    struct call_graph *graph = call_graph_build(elfw);
    uint32_t node = graph->function_count + name_map_find(&elfw->prototypes, "#vi");

    assert_int_equal(graph->node_count, graph->function_count + elfw->prototypes.names.count);
    assert_int_equal(graph->callees.start[CALLER + 1] - graph->callees.start[CALLER], 1);
    assert_int_equal(graph->callees.to[graph->callees.start[CALLER]], node);
    assert_int_equal(graph->callees.start[node + 1] - graph->callees.start[node], 2);
    const uint32_t asked[] = {ONE, TWO, OTHER};
    struct kernel_lists lists = call_graph_kernels_reaching(elfw, graph, asked, 3);
    assert_int_equal(lists.start[1] - lists.start[0], 1);
    assert_int_equal(lists.start[2] - lists.start[1], 1);
    assert_int_equal(lists.start[3] - lists.start[2], 0);
    link_state_close(link);
}

/* A function that calls through its own prototype may call itself. */
static void
test_cycle_through_a_prototype(void **state)
{
    struct link_state *link = open_with_functions(1, 2);

    (void)state;
    add_call(link->elfw, 1, 2);
    add_indirect_call(link->elfw, 2, "#vi");
    take_address(link->elfw, 2, "#vi");
    take_address(link->elfw, 3, "#vi");
    struct call_graph *graph = call_graph_build(link->elfw);
    assert_true(may_recurse(graph, 1));
    assert_true(may_recurse(graph, 2));
    assert_false(may_recurse(graph, 3));
    link_state_close(link);
}

/* Kernels launched from device code have the empty prototype; nothing is called through it. */
static void
test_empty_prototype_leads_nowhere(void **state)
{
    struct link_state *link = open_with_functions(2, 0);
    const uint32_t asked[] = {2};

    (void)state;
    add_indirect_call(link->elfw, 1, "");
    take_address(link->elfw, 2, "");
    struct call_graph *graph = call_graph_build(link->elfw);
    struct kernel_lists lists = call_graph_kernels_reaching(link->elfw, graph, asked, 1);
    assert_int_equal(lists.start[1], 1);
    assert_int_equal(lists.kernels[0], 2);
    link_state_close(link);
}

static void
test_dead_functions_are_left_out(void **state)
{
    struct link_state *link = open_with_functions(2, 2);
    struct elfw *elfw = link->elfw;

    (void)state;
    add_call(elfw, 1, 3);
    add_call(elfw, 2, 3);
    add_call(elfw, 3, 4);
    add_call(elfw, 4, 4);
    elfw_function(elfw, 2)->is_dead = true;
    elfw_function(elfw, 4)->is_dead = true;
    struct call_graph *graph = call_graph_build(elfw);
    assert_int_equal(graph->kernel_count, 1);
    assert_false(may_recurse(graph, 1));
    const uint32_t asked[] = {3};
    struct kernel_lists lists = call_graph_kernels_reaching(elfw, graph, asked, 1);
    assert_int_equal(lists.start[1], 1);
    assert_int_equal(lists.kernels[0], 1);
    link_state_close(link);
}

/* No recursion on the machine's stack: a chain, and the same closed to a ring. */
static void
test_deep_chains(void **state)
{
    enum { DEPTH = 100000 };

    (void)state;
    for (int ring = 0; ring < 2; ring++) {
        struct link_state *link = open_with_functions(1, DEPTH);
        struct elfw *elfw = link->elfw;

        for (uint32_t f = 1; f <= DEPTH; f++)
            add_call(elfw, f, f + 1);
        if (ring)
            add_call(elfw, DEPTH + 1, 1);
        struct call_graph *graph = call_graph_build(elfw);
        assert_int_equal(may_recurse(graph, 1), ring);
        assert_int_equal(graph->component[1] == graph->component[DEPTH + 1], ring);
        if (!ring)
            assert_true(graph->component[DEPTH + 1] < graph->component[1]);
        const uint32_t asked[] = {DEPTH + 1, DEPTH / 2};
        struct kernel_lists lists = call_graph_kernels_reaching(elfw, graph, asked, 2);
        assert_int_equal(lists.start[2], 2);
        assert_int_equal(lists.kernels[0], 1);
        assert_int_equal(lists.kernels[1], 1);
        link_state_close(link);
    }
}

/* ---- Against the transitive closure ---- */

enum { MAX_NODES = 128, PROTOTYPES = 3 };

struct closure {
    bool reach[MAX_NODES][MAX_NODES]; /* by one call or more */
    uint32_t count;
};

static uint32_t
random_number(uint32_t *state)
{
    *state = *state * 1664525 + 1013904223;
    return *state >> 8;
}

/* A random program; the closure is taken from the calls as they are added. */
static void
add_random_program(struct elfw *elfw, uint32_t functions, uint32_t *seed, struct closure *closure)
{
    static const char *const prototypes[PROTOTYPES] = {"#v", "#vi", "#il"};
    int callers[MAX_NODES] = {0}, taken[MAX_NODES] = {0};

    for (uint32_t n = random_number(seed) % (2 * functions); n > 0; n--) {
        uint32_t from = 1 + random_number(seed) % functions;
        uint32_t to = 1 + random_number(seed) % functions;
        add_call(elfw, from, to);
        closure->reach[from][to] = true;
    }
    for (uint32_t f = 1; f <= functions; f++) {
        callers[f] = (int)(random_number(seed) % 12);
        taken[f] = (int)(random_number(seed) % 12);
        if (callers[f] < PROTOTYPES)
            add_indirect_call(elfw, f, prototypes[callers[f]]);
        if (taken[f] < PROTOTYPES)
            take_address(elfw, f, prototypes[taken[f]]);
    }
    for (uint32_t f = 1; f <= functions; f++)
        for (uint32_t g = 1; g <= functions; g++)
            closure->reach[f][g] |= callers[f] < PROTOTYPES && callers[f] == taken[g];
}

static void
close_closure(struct closure *closure)
{
    for (uint32_t via = 1; via <= closure->count; via++)
        for (uint32_t from = 1; from <= closure->count; from++)
            for (uint32_t to = 1; closure->reach[from][via] && to <= closure->count; to++)
                closure->reach[from][to] |= closure->reach[via][to];
}

static bool
closure_recurses(const struct closure *closure, uint32_t function)
{
    for (uint32_t g = 1; g <= closure->count; g++)
        if ((g == function || closure->reach[function][g]) && closure->reach[g][g])
            return true;
    return false;
}

static void
assert_kernels_agree(struct elfw *elfw, const struct call_graph *graph,
                     const struct closure *closure, uint32_t kernels)
{
    uint32_t asked[MAX_NODES];

    /* More than one batch of 64, in an order of its own. */
    for (uint32_t i = 0; i < closure->count; i++)
        asked[i] = closure->count - i;
    struct kernel_lists lists = call_graph_kernels_reaching(elfw, graph, asked, closure->count);
    for (uint32_t i = 0; i < closure->count; i++) {
        uint32_t at = lists.start[i];
        for (uint32_t k = 1; k <= kernels; k++)
            if (k == asked[i] || closure->reach[k][asked[i]])
                assert_int_equal(lists.kernels[at++], k);
        assert_int_equal(at, lists.start[i + 1]);
    }
}

static void
test_random_programs(void **state)
{
    uint32_t seed = 2024;

    (void)state;
    for (unsigned round = 0; round < 150; round++) {
        uint32_t functions = 2 + random_number(&seed) % (MAX_NODES - 2);
        uint32_t kernels = random_number(&seed) % functions;
        struct link_state *link = open_with_functions(kernels, functions - kernels);
        struct closure *closure = arena_zero(&link->arena, sizeof *closure);

        closure->count = functions;
        add_random_program(link->elfw, functions, &seed, closure);
        close_closure(closure);
        struct call_graph *graph = call_graph_build(link->elfw);
        assert_callees_first(link->elfw, graph);
        for (uint32_t f = 1; f <= functions; f++) {
            assert_int_equal(may_recurse(graph, f), closure_recurses(closure, f));
            for (uint32_t g = 1; g < f; g++)
                assert_int_equal(graph->component[f] == graph->component[g],
                                 closure->reach[f][g] && closure->reach[g][f]);
        }
        assert_kernels_agree(link->elfw, graph, closure, kernels);
        link_state_close(link);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_components),
        cmocka_unit_test(test_diamonds_are_no_cycles),
        cmocka_unit_test(test_prototypes_are_nodes),
        cmocka_unit_test(test_cycle_through_a_prototype),
        cmocka_unit_test(test_empty_prototype_leads_nowhere),
        cmocka_unit_test(test_dead_functions_are_left_out),
        cmocka_unit_test(test_deep_chains),
        cmocka_unit_test(test_random_programs),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
