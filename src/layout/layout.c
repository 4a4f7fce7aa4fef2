#include "layout/layout.h"

#include "elfw/syscalls.h"

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

/* An input that defines a system call itself leaves the name of a section behind. */
static void
name_sections_of_system_calls(struct elfw *elfw)
{
    for (const char *const *name = syscall_names; *name; name++) {
        const struct symbol_record *symbol = elfw_get_symbol(elfw, elfw_find_symbol(elfw, *name));

        if (!symbol_function(symbol) || symbol->st_shndx == SHN_UNDEF || symbol_is_entry(symbol))
            continue;
        uint32_t section = elfw_add_section(
            elfw, &(struct new_section){.name = arena_format(elfw->arena, ".nv.shared.%s", *name),
                                        .type = SHT_CUDA_SHARED,
                                        .is_unlisted = true});
        elfw_section(elfw, section)->state = SECTION_NAME_ONLY;
    }
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

struct call_graph *
layout_functions(struct elfw *elfw)
{
    layout_commons(elfw);
    name_sections_of_system_calls(elfw);
    create_callgraph_sections(elfw);
    if (!elfw_flag(elfw, MERGE_KEEP_ALL)) {
        if (elfw->kernels_used && count_kernels(elfw) != 1)
            admit_taken_kernels(elfw);
        drop_dead_code(elfw);
    }
    return call_graph_build(elfw);
}

void
layout_memory(struct elfw *elfw, const struct call_graph *graph)
{
    if (elfw_flag(elfw, MERGE_RELOCATABLE)) {
        layout_relocatable_shared(elfw);
        bury_empty_banks(elfw);
        return;
    }
    layout_shared(elfw, graph);
    layout_function_constants(elfw, graph);
    if (elfw->kernels_used && !elfw_flag(elfw, MERGE_DEBUG))
        note_unique_constants(elfw);
    layout_textures(elfw, graph);
    create_rel_action(elfw);
}
