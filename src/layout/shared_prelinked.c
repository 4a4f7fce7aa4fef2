#include "layout/shared_layout.h"

bool
shared_begin_with_fixed(struct shared_layout *l)
{
    bool any = false;

    for (uint32_t k = 0; k < l->kernel_count; k++) {
        const struct function *kernel = elfw_function(l->elfw, l->kernels[k].ordinal);
        struct party *party = kernel_party(l, k);

        any |= kernel->is_prelinked;
        if (!kernel->is_prelinked || !kernel->shared)
            continue;
        const struct section *section = elfw_section(l->elfw, kernel->shared);
        party->end = section->size;
        party->align = kernel->has_fixed_shared ? section->align : 0;
        party->has_any = section->size > 0;
    }
    return any;
}

static void
report_prelinked(struct shared_layout *l, const struct variable *variable, uint32_t kernel)
{
    if (elfw_function(l->elfw, l->kernels[kernel].ordinal)->is_prelinked)
        diag_error(l->elfw->diag,
                   "Cannot link shared object '%s' with partially linked kernel '%s'",
                   elfw_get_symbol(l->elfw, variable->symbol)->name_str,
                   elfw_function_name(l->elfw, l->kernels[kernel].ordinal));
}

/* The kernels that need the variable, the last first. */
static void
report_uses(struct shared_layout *l, const struct variable *variable)
{
    for (uint32_t n = variable->need_count; n-- > 0;) {
        uint32_t party = l->needs.at[variable->first_need + n];
        const struct team *team = party < l->teams.count ? &l->teams.at[party] : NULL;

        if (!team)
            report_prelinked(l, variable, party - l->teams.count);
        for (uint32_t m = team ? team->member_count : 0; m-- > 0;)
            report_prelinked(l, variable, l->members[team->first_member + m]);
    }
}

/* A message for each place in the code that uses the variable. */
void
shared_check_prelinked(struct shared_layout *l, const uint32_t *order, uint32_t count)
{
    struct elfw *elfw = l->elfw;
    uint32_t *uses = arena_array(&elfw->scratch, (size_t)l->variable_count + 1, sizeof *uses);

    for (uint32_t i = 0; i < elfw->data_uses.count; i++) {
        const struct data_use *use = &elfw->data_uses.at[i];
        const struct variable *variable = shared_used_variable(l, use);
        if (variable && !elfw_function(elfw, use->function)->is_dead)
            uses[variable - l->variables]++;
    }
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t n = l->variables[order[i]].is_extern ? 0 : uses[order[i]]; n > 0; n--)
            report_uses(l, &l->variables[order[i]]);
}
