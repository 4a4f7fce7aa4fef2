#include "finalize/fragments.h"

/*
 * AT_ENTRY_FRAGMENTS belong to kernels alone: a kernel ends with the lists of all it reaches,
 * callees before callers, the callee that stands first in the call graph first.
 */
struct fragments {
    const struct call_graph *graph;
    bool *seen;
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
    while (info_next(elfw_function(elfw, node)->records, &offset, &record)) {
        if (record.attribute != EIATTR_AT_ENTRY_FRAGMENTS)
            continue;
        array_push(&fragments->lists, elfw->arena, record.payload);
        fragments->size += record.payload.size;
    }
}

static void
enter_node(struct fragments *fragments, uint32_t node)
{
    fragments->seen[node] = true;
    fragments->path[fragments->depth] = node;
    fragments->next[fragments->depth++] = fragments->graph->callees.start[node];
}

void
append_fragments(struct record_writer *writer, const struct call_graph *graph, uint32_t kernel)
{
    struct elfw *elfw = writer->elfw;
    struct fragments fragments = {
        .graph = graph,
        .seen = arena_array(elfw->arena, graph->node_count, sizeof(bool)),
        .path = arena_array(elfw->arena, graph->node_count, sizeof(uint32_t)),
        .next = arena_array(elfw->arena, graph->node_count, sizeof(uint32_t)),
    };

    enter_node(&fragments, kernel);
    while (fragments.depth) {
        uint32_t node = fragments.path[fragments.depth - 1];
        uint32_t *next = &fragments.next[fragments.depth - 1];

        if (*next < graph->callees.start[node + 1]) {
            uint32_t callee = graph->callees.to[(*next)++];
            if (!fragments.seen[callee])
                enter_node(&fragments, callee);
            continue;
        }
        collect_lists(elfw, &fragments, node);
        fragments.depth--;
    }
    if (!fragments.lists.count || fragments.size > UINT16_MAX)
        return;
    uint8_t *payload =
        append_record(writer, EIFMT_SVAL, EIATTR_AT_ENTRY_FRAGMENTS, (uint16_t)fragments.size);
    for (uint32_t i = 0; i < fragments.lists.count; i++) {
        memcpy(payload, fragments.lists.at[i].at, fragments.lists.at[i].size);
        payload += fragments.lists.at[i].size;
    }
}

size_t
total_fragments(const struct elfw *elfw)
{
    size_t size = 0;

    for (uint32_t f = 1; f < elfw->functions.count; f++) {
        struct info_record record;
        size_t offset = 0;

        while (info_next(elfw_function(elfw, f)->records, &offset, &record))
            if (record.attribute == EIATTR_AT_ENTRY_FRAGMENTS)
                size += record.whole.size;
    }
    return size;
}
