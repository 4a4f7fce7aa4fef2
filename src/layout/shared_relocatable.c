#include "layout/shared_layout.h"

/*
 * Relocatable output has no addresses yet: sections only sum up what they hold. An open array
 * counts by its alignment alone.
 */
struct sum {
    uint64_t size, align;
};

static void
finish_relocatable(struct section *section, struct sum sum, bool any_open)
{
    section->align = max_u64(sum.align, 1);
    if (!sum.size && !(any_open && section->align == OPEN_ARRAY_ALIGN))
        section->state = SECTION_NAME_ONLY;
    section->has_no_symbol = !sum.size;
    section->size = sum.size > sum.align ? sum.size : sum.size + sum.align;
}

void
layout_relocatable_shared(struct elfw *elfw)
{
    struct shared_layout l = {.elfw = elfw};
    uint32_t common = elfw_find_section(elfw, ".nv_debug.shared");
    struct sum *sums = arena_array(elfw->arena, elfw->sections.count, sizeof *sums);

    shared_collect_variables(&l);
    for (uint32_t v = 0; v < l.variable_count; v++) {
        const struct variable *variable = &l.variables[v];
        const struct symbol_record *symbol = elfw_get_symbol(elfw, variable->symbol);
        struct sum *sum = &sums[variable->is_extern ? common : elfw_symbol_section(elfw, symbol)];

        sum->size += variable->size;
        sum->align = max_u64(sum->align, variable->is_extern ? OPEN_ARRAY_ALIGN : variable->align);
    }
    for (uint32_t f = 1; f < elfw->functions.count; f++) {
        uint32_t shared = elfw_function(elfw, f)->shared;
        if (!shared)
            continue;
        struct sum sum = sums[shared];
        sum.align = max_u64(sum.align, sums[common].align);
        finish_relocatable(elfw_section(elfw, shared), sum, l.any_extern);
    }
    if (common)
        finish_relocatable(elfw_section(elfw, common), sums[common], l.any_extern);
}
