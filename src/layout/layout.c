#include "layout/layout.h"

static void
create_callgraph_sections(struct elfw *elfw)
{
    elfw->callgraph = elfw_add_section(elfw, &(struct new_section){.name = ".nv.callgraph",
                                                                   .type = SHT_CUDA_CALLGRAPH,
                                                                   .align = 4,
                                                                   .entsize = 8});
    elfw->prototype = elfw_add_section(elfw, &(struct new_section){.name = ".nv.prototype",
                                                                   .type = SHT_CUDA_PROTOTYPE,
                                                                   .align = 4,
                                                                   .entsize = 8});
    elfw->callgraph_completed = true;
}

/* What the driver does with relocation types newer than itself; the same in every executable. */
static void
create_rel_action(struct elfw *elfw)
{
    static const uint8_t action[16] = {0x73, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x11, 0x25, 0, 5, 0x36};

    elfw->rel_action = elfw_add_section(elfw, &(struct new_section){.name = ".nv.rel.action",
                                                                    .type = SHT_CUDA_RELOCINFO,
                                                                    .align = 8,
                                                                    .entsize = 8});
    elfw_append(elfw, elfw->rel_action, (struct bytes){action, sizeof action}, sizeof action, 8);
}

struct call_graph *
layout_functions(struct elfw *elfw, const struct roots *roots)
{
    layout_commons(elfw);
    create_callgraph_sections(elfw);
    if (!elfw_flag(elfw, MERGE_KEEP_ALL))
        drop_dead_code(elfw, roots);
    return call_graph_build(elfw);
}

void
layout_memory(struct elfw *elfw, const struct call_graph *graph)
{
    if (elfw_flag(elfw, MERGE_RELOCATABLE))
        return;
    layout_shared(elfw, graph);
    layout_function_constants(elfw, graph);
    layout_textures(elfw, graph);
    create_rel_action(elfw);
}
