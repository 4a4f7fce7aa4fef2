#include "layout/layout.h"

#include "layout/host_references.h"

static void
create_callgraph_sections(struct elfw *elfw)
{
    elfw->callgraph = elfw_add_section(
        elfw, &(struct new_section){
                  .name = ".nv.callgraph", .type = SHT_CUDA_CALLGRAPH, .align = 4, .entsize = 8});
    elfw->prototype = elfw_add_section(
        elfw, &(struct new_section){
                  .name = ".nv.prototype", .type = SHT_CUDA_PROTOTYPE, .align = 4, .entsize = 8});
    elfw->callgraph_completed = true;
}

/* What the driver does with relocation types newer than itself; the same in every executable. */
static void
create_rel_action(struct elfw *elfw)
{
    static const uint8_t action[16] = {0x73, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x11, 0x25, 0, 5, 0x36};

    elfw->rel_action = elfw_add_section(
        elfw, &(struct new_section){
                  .name = ".nv.rel.action", .type = SHT_CUDA_RELOCINFO, .align = 8, .entsize = 8});
    elfw_append(elfw, elfw->rel_action, (struct bytes){action, sizeof action}, sizeof action, 8);
}

static uint32_t
count_kernels(const struct elfw *elfw)
{
    uint32_t count = 0;

    for (uint32_t f = 1; f < elfw->functions.count; f++)
        count += elfw_function_is_entry(elfw, f);
    return count;
}

/*
 * Entries that --kernels-used does not name stay if their address is taken. Where it names just one
 * kernel they are functions like any other; else they count as kernels after all.
 */
static void
admit_taken_kernels(struct elfw *elfw)
{
    for (uint32_t f = 1; f < elfw->functions.count; f++)
        if (elfw_function(elfw, f)->is_address_taken && elfw_function_is_defined_entry(elfw, f))
            elfw_function(elfw, f)->is_kernel = true;
}

/* What is called like a function of the driver counts as a kernel, unless there is just one. */
static void
admit_system_calls(struct elfw *elfw)
{
    for (uint32_t f = 1; f < elfw->functions.count; f++)
        if (elfw_function(elfw, f)->is_system_call)
            elfw_function(elfw, f)->is_kernel = true;
}

static bool
host_refers_to(const struct elfw *elfw, const struct symbol_record *symbol)
{
    const struct host_references *references = elfw->host_references;

    return host_patterns_match(symbol_binding(symbol) == STB_LOCAL ? &references->internal
                                                                   : &references->external,
                               symbol->name_str);
}

/* What the host code does not launch is no kernel. */
static void
demote_unused_kernels(struct elfw *elfw)
{
    for (uint32_t f = 1; f < elfw->functions.count; f++)
        if (elfw_function_is_entry(elfw, f) && !host_refers_to(elfw, elfw_function_symbol(elfw, f)))
            elfw_function(elfw, f)->is_kernel = false;
}

struct call_graph *
layout_functions(struct elfw *elfw)
{
    layout_commons(elfw);
    create_callgraph_sections(elfw);
    if (elfw->host_references)
        demote_unused_kernels(elfw);
    elfw->named_kernel_count = count_kernels(elfw);
    if ((elfw->kernels_used || elfw->host_references) && elfw->named_kernel_count != 1 &&
        !elfw_flag(elfw, MERGE_DEBUG | MERGE_RELOCATABLE))
        admit_taken_kernels(elfw);
    if (elfw->named_kernel_count != 1 && !elfw_flag(elfw, MERGE_RELOCATABLE))
        admit_system_calls(elfw);
    if (!elfw_flag(elfw, MERGE_KEEP_ALL))
        drop_dead_code(elfw);
    return call_graph_build(elfw);
}

void
layout_memory(struct elfw *elfw, const struct call_graph *graph)
{
    layout_reserved(elfw);
    if (elfw_flag(elfw, MERGE_RELOCATABLE)) {
        layout_relocatable_shared(elfw);
        layout_given_slots(elfw);
        settle_replaced_banks(elfw);
        if (elfw->bank_size_symbol)
            elfw_get_symbol(elfw, elfw->bank_size_symbol)->st_value = elfw_constant_bank_size(elfw);
        return;
    }
    layout_shared(elfw, graph);
    layout_textures(elfw, graph);
    layout_function_constants(elfw, graph);
    pack_constant_bank(elfw);
    if ((elfw->kernels_used || elfw->host_references) && !elfw->packed_bank &&
        !elfw_flag(elfw, MERGE_DEBUG))
        note_unique_constants(elfw);
    if (!elfw_flag(elfw, MERGE_DEBUG))
        note_fixed_shared(elfw);
    if (elfw->view->has_relocation_actions)
        create_rel_action(elfw);
}
