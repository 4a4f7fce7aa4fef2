#include "finalize/fragments.h"

/*
 * AT_ENTRY_FRAGMENTS belong to kernels alone: a kernel has the lists of all it reaches, callees
 * before callers, the callee that stands first in the call graph first. One of several kernels that
 * has a list itself begins with it, at its place; otherwise they are the last record.
 */
struct fragments {
    const struct call_graph *graph;
    uint32_t *seen_by; /* per node: the last kernel whose walk came by */
    uint32_t kernel;
    uint32_t *path, *next;
    uint32_t depth;
    ARRAY(struct bytes) lists;
    size_t size;
};

static void
collect_lists(struct elfw *elfw, struct fragments *fragments, uint32_t node)
{
    struct info_record record;
    size_t offset = 0;

    if (node >= fragments->graph->function_count)
        return;
    struct bytes records = elfw_function(elfw, node)->records;
    while (info_next(records, &offset, &record)) {
        if (record.attribute != EIATTR_AT_ENTRY_FRAGMENTS)
            continue;
        array_push(&fragments->lists, elfw->arena, record.payload);
        fragments->size += record.payload.size;
    }
}

static void
enter_node(struct fragments *fragments, uint32_t node)
{
    fragments->seen_by[node] = fragments->kernel;
    fragments->path[fragments->depth] = node;
    fragments->next[fragments->depth++] = fragments->graph->callees.start[node];
}

struct fragments *
new_fragments(struct elfw *elfw, const struct call_graph *graph)
{
    struct fragments *fragments = arena_zero(elfw->arena, sizeof *fragments);

    fragments->graph = graph;
    fragments->seen_by = arena_array(elfw->arena, graph->node_count, sizeof(uint32_t));
    fragments->path = arena_array(elfw->arena, graph->node_count, sizeof(uint32_t));
    fragments->next = arena_array(elfw->arena, graph->node_count, sizeof(uint32_t));
    return fragments;
}

static void
walk_from(struct elfw *elfw, struct fragments *fragments, uint32_t kernel)
{
    const struct adjacency *callees = &fragments->graph->callees;

    fragments->kernel = kernel;
    fragments->lists.count = 0;
    fragments->size = 0;
    enter_node(fragments, kernel);
    while (fragments->depth) {
        uint32_t node = fragments->path[fragments->depth - 1];
        uint32_t *next = &fragments->next[fragments->depth - 1];

        if (*next < callees->start[node + 1]) {
            uint32_t callee = callees->to[(*next)++];
            if (fragments->seen_by[callee] != kernel)
                enter_node(fragments, callee);
            continue;
        }
        collect_lists(elfw, fragments, node);
        fragments->depth--;
    }
}

/* The kernel's own list, which the walk comes to last, becomes the first. */
static void
put_own_first(struct fragments *fragments)
{
    struct bytes *lists = fragments->lists.at, own = lists[fragments->lists.count - 1];

    memmove(lists + 1, lists, (fragments->lists.count - 1) * sizeof *lists);
    lists[0] = own;
}

void
write_fragments(struct record_writer *writer, struct fragments *fragments, uint32_t kernel,
                bool is_own_place)
{
    walk_from(writer->elfw, fragments, kernel);
    if (!fragments->lists.count)
        return;
    if (is_own_place)
        put_own_first(fragments);
    if (fragments->size > UINT16_MAX)
        diag_fatal(writer->elfw->diag, "Kernel '%s' reaches too many entry fragments",
                   elfw_function_name(writer->elfw, kernel));
    uint16_t size = (uint16_t)fragments->size;
    uint8_t *payload = is_own_place
                           ? prepend_record(writer, EIATTR_AT_ENTRY_FRAGMENTS, size)
                           : append_record(writer, EIFMT_SVAL, EIATTR_AT_ENTRY_FRAGMENTS, size);
    for (uint32_t i = 0; i < fragments->lists.count; i++) {
        memcpy(payload, fragments->lists.at[i].at, fragments->lists.at[i].size);
        payload += fragments->lists.at[i].size;
    }
}
