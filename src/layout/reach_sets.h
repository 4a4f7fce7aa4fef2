/*
 * reach_sets.h: which of some functions each part of the call graph reaches, equal sets shared.
 *
 * Kernels often reach the same functions; what is decided per set of functions instead of per
 * kernel then costs no more for a thousand kernels than for one.
 */
#ifndef CULD_LAYOUT_REACH_SETS_H
#define CULD_LAYOUT_REACH_SETS_H

#include "layout/call_graph.h"

enum { EMPTY_SET = 0 };

/* A set is a list of functions and of other sets. */
struct reach_set {
    uint32_t first, count; /* in `parts` */
};

struct reach_sets {
    uint32_t *set_of; /* per component of the graph */
    ARRAY(struct reach_set) sets;
    ARRAY(uint32_t) parts; /* number of a function, or of a set with IS_SET */
    uint32_t *function_stamps, *set_stamps, *pending;
    uint32_t stamp;
};

struct reach_sets *reach_sets_build(struct arena *arena, const struct call_graph *graph,
                                    const uint32_t *functions, uint32_t count);

/* Writes the places in `functions` of the members, each once; returns how many. */
uint32_t reach_set_members(struct reach_sets *sets, uint32_t set, uint32_t *out);

#endif
