/*
 * call_graph.h: the call graph of the functions that stay, condensed.
 *
 * Nodes are the functions by ordinal and, behind them, the prototypes: a function that calls
 * through a prototype has one edge to it, and the prototype one to each function whose address is
 * taken under it. Strongly connected components are numbered callees first, so that one sweep over
 * `order` computes any property of what a function reaches.
 */
#ifndef CULD_LAYOUT_CALL_GRAPH_H
#define CULD_LAYOUT_CALL_GRAPH_H

#include "elfw/elfw.h"

/* Adjacency in one array: the neighbours of node n are to[start[n]] .. to[start[n + 1] - 1]. */
struct adjacency {
    uint32_t *start;
    uint32_t *to;
};

struct call_graph {
    uint32_t node_count; /* node 0 is unused */
    uint32_t function_count;
    struct adjacency callees;
    struct adjacency callers;
    uint32_t *order; /* the nodes, component by component, callees first */
    uint32_t order_count;
    uint32_t *component; /* of each node */
    uint32_t component_count;
    bool *reaches_cycle; /* per component */

    uint32_t *kernels; /* live entries by ordinal */
    uint32_t kernel_count;
};

struct call_graph *call_graph_build(struct elfw *elfw);

/* A program of one kernel follows rules of its own, unless that one only counts as a kernel because
   options name none and its address is taken. */
static inline bool
call_graph_has_one_kernel(const struct elfw *elfw, const struct call_graph *graph)
{
    return graph->kernel_count == 1 && elfw->named_kernel_count == 1;
}

/* Does the function reach itself? */
bool call_graph_is_recursive(const struct call_graph *graph, uint32_t function);

/* The entries that reach each of some functions: those of functions[i] are
   kernels[start[i]] .. kernels[start[i + 1] - 1], by ascending ordinal. Entries that are no kernels
   (elfw_function_is_entry) are among them. */
struct kernel_lists {
    uint32_t *start;
    uint32_t *kernels;
};
struct kernel_lists call_graph_kernels_reaching(struct elfw *elfw, const struct call_graph *graph,
                                                const uint32_t *functions, uint32_t count);

#endif
