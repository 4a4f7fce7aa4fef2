#include "layout/list_sort.h"
#include "layout/shared_layout.h"

/*
 * Shared memory is laid out per kernel. Variables that several kernels need get one address for all
 * of them: they are coloured, in order of size, into slots none of whose members share a kernel.
 * Behind the slots a kernel has the variables that it alone needs, and behind those the arrays whose
 * size the launch decides.
 */

static int
larger_first(const void *context, uint32_t a, uint32_t b)
{
    const struct shared_layout *l = context;
    uint64_t x = l->variables[a].size, y = l->variables[b].size;

    return x > y ? -1 : x < y;
}

void
layout_shared(struct elfw *elfw, const struct call_graph *graph)
{
    struct shared_layout l = {
        .elfw = elfw, .graph = graph, .lowest = elfw_flag(elfw, MERGE_RESERVE_NULL) ? 1 : 0};
    struct arena_mark before = arena_mark(&elfw->scratch);

    shared_collect_variables(&l);
    shared_collect_needs(&l);

    uint32_t *order = arena_array(&elfw->scratch, l.variable_count + 1, sizeof *order);
    uint32_t count = 0;
    for (uint32_t v = 0; v < l.variable_count; v++)
        if (!l.variables[v].owner)
            order[count++] = v;
    list_sort(&elfw->scratch, order, count, larger_first, &l, true);

    if (shared_begin_with_fixed(&l))
        shared_check_prelinked(&l, order, count);
    shared_place_in_slots(&l, order, count);
    for (uint32_t i = 0; l.any_coloured && i < count; i++)
        if (!l.variables[order[i]].is_extern)
            l.common_align = max_u64(l.common_align, l.variables[order[i]].align);
    shared_place_private(&l, order, count);
    shared_add_late_sections(&l, order, count);
    shared_place_open_arrays(&l);
    shared_check_limits(&l);
    shared_finish_kernel_sections(&l);
    shared_finish_common_section(&l);
    shared_store_addresses(&l);
    arena_release(&elfw->scratch, before);
}
