#include "layout/shared_layout.h"

/*
 * Relocatable output has no addresses yet: sections only sum up what they hold. An open array
 * counts by its alignment alone.
 */
struct sum {
    uint64_t size, align;
};

static void
finish_section(struct section *section, struct sum sum, bool is_kept)
{
    section->align = max_u64(sum.align, 1);
    section->has_no_symbol = !sum.size;
    section->size = 0;
    if (!sum.size && !is_kept)
        section->state = SECTION_NAME_ONLY;
    else
        section->size = sum.size > sum.align ? sum.size : sum.size + sum.align;
}

/* Kernels whose own text uses an open array; `.nv_debug.shared` counts where any exists. */
static bool *
find_open_kernels(struct shared_layout *l)
{
    struct elfw *elfw = l->elfw;
    bool *is_open = arena_array(elfw->arena, elfw->functions.count, sizeof *is_open);

    for (uint32_t i = 0; i < elfw->data_uses.count; i++) {
        const struct variable *variable = shared_used_variable(l, &elfw->data_uses.at[i]);
        if (variable && variable->is_extern)
            is_open[elfw->data_uses.at[i].function] = true;
    }
    return is_open;
}

static void
add_to_sum(struct sum *sum, uint64_t size, uint64_t align)
{
    sum->size += size;
    sum->align = max_u64(sum->align, align);
}

/*
 * Sums up what lies in each section. What whole programs for debuggers have outside of kernels has an
 * address already, which the output has not; nvlink counts their section behind it.
 */
static void
sum_variables(struct shared_layout *l, uint32_t common, struct sum *sums)
{
    uint64_t given_end = 0;

    for (uint32_t v = 0; v < l->variable_count; v++) {
        const struct variable *variable = &l->variables[v];
        struct symbol_record *symbol = elfw_get_symbol(l->elfw, variable->symbol);

        if (variable->is_given) {
            given_end = max_u64(given_end, variable->align + variable->size);
            symbol->st_value = 1;
        } else if (symbol->st_shndx != SHN_UNDEF) {
            add_to_sum(&sums[elfw_symbol_section(l->elfw, symbol)], variable->size,
                       variable->align);
        }
    }
    add_to_sum(&sums[common], given_end + l->elfw->given_shared_size, l->elfw->given_shared_align);
}

static bool
defines_open_array(const struct shared_layout *l)
{
    for (uint32_t v = 0; v < l->variable_count; v++)
        if (l->variables[v].is_extern && l->variables[v].is_given)
            return true;
    return false;
}

void
layout_relocatable_shared(struct elfw *elfw)
{
    struct shared_layout l = {.elfw = elfw};
    uint32_t common = elfw_find_section(elfw, ".nv_debug.shared");
    struct sum *sums = arena_array(elfw->arena, elfw->sections.count, sizeof *sums);

    shared_collect_variables(&l);
    bool *is_open = find_open_kernels(&l);
    sum_variables(&l, common, sums);
    bool defines_open = defines_open_array(&l);
    for (uint32_t f = 1; f < elfw->functions.count; f++) {
        uint32_t shared = elfw_function(elfw, f)->shared;
        if (!shared)
            continue;
        struct sum sum = sums[shared];
        bool is_fixed = elfw_function(elfw, f)->has_fixed_shared;
        if (is_fixed)
            add_to_sum(&sum, elfw_section(elfw, shared)->size, elfw_section(elfw, shared)->align);
        /* Harmless but visible, as in layout/constants.c. */
        if (is_fixed && !elfw->null_symbol_value)
            elfw->null_symbol_value = sum.align;
        add_to_sum(&sum, 0, sums[common].align);
        add_to_sum(&sum, 0, is_open[f] ? OPEN_ARRAY_ALIGN : 0);
        bool is_mark = (is_open[f] || defines_open) && sum.align == OPEN_ARRAY_ALIGN;
        finish_section(elfw_section(elfw, shared), sum, is_fixed || is_mark);
    }
    if (common) {
        if (elfw->given_shared_size && !elfw->null_symbol_value)
            elfw->null_symbol_value = sums[common].align;
        add_to_sum(&sums[common], 0, l.any_extern ? OPEN_ARRAY_ALIGN : 0);
        add_to_sum(&sums[common], 0, elfw->fixed_shared_mark);
        finish_section(elfw_section(elfw, common), sums[common],
                       elfw->fixed_shared_mark ||
                           (l.any_extern && sums[common].align == OPEN_ARRAY_ALIGN));
    }
}
