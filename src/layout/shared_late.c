#include "layout/shared_layout.h"

/*
 * An entry that --kernels-used leaves out has no section for shared memory from the start. It gets
 * one when the layout first puts something there: variables that it alone needs, the largest first;
 * variables that it shares with others; arrays of open size. By then it is too late for the alignment
 * of all.
 */

/* The uses of each variable, as they were read: those of v are list[start[v]] ... */
struct uses_by_variable {
    uint32_t *start;
    uint32_t *list;
};

static struct uses_by_variable
group_uses(struct shared_layout *l)
{
    struct elfw *elfw = l->elfw;
    struct uses_by_variable uses = {
        .start = arena_array(&elfw->scratch, (size_t)l->variable_count + 2, sizeof(uint32_t)),
        .list = arena_array(&elfw->scratch, (size_t)elfw->data_uses.count + 1, sizeof(uint32_t)),
    };

    for (int pass = 0; pass < 2; pass++) {
        for (uint32_t i = 0; i < elfw->data_uses.count; i++) {
            const struct variable *variable = shared_used_variable(l, &elfw->data_uses.at[i]);
            if (!variable)
                continue;
            uint32_t v = (uint32_t)(variable - l->variables);
            if (pass == 0)
                uses.start[v + 1]++;
            else
                uses.list[uses.start[v]++] = i;
        }
        for (uint32_t v = 0; v < l->variable_count && pass == 0; v++)
            uses.start[v + 1] += uses.start[v];
    }
    memmove(uses.start + 1, uses.start, (size_t)l->variable_count * sizeof *uses.start);
    uses.start[0] = 0;
    return uses;
}

static void
give_section(struct shared_layout *l, uint32_t ordinal)
{
    struct function *function = elfw_function(l->elfw, ordinal);

    if (!function->shared)
        function->shared = shared_add_section(l->elfw, ordinal);
}

/* The kernel whose text has the use, or those that reach the function which has it. */
static void
give_sections_to_users(struct shared_layout *l, const struct kernel_lists *reaching, uint32_t use)
{
    uint32_t function = l->elfw->data_uses.at[use].function;
    uint32_t user = l->user_of[function];

    if (l->kernel_of[function])
        give_section(l, function);
    for (uint32_t i = user ? reaching->start[user] : 0; user && i-- > reaching->start[user - 1];)
        if (elfw_function_is_entry(l->elfw, reaching->kernels[i]))
            give_section(l, reaching->kernels[i]);
}

static bool
all_have_sections(const struct shared_layout *l)
{
    for (uint32_t k = 0; k < l->kernel_count; k++)
        if (!elfw_function(l->elfw, l->kernels[k].ordinal)->shared)
            return false;
    return true;
}

void
shared_add_late_sections(struct shared_layout *l, const uint32_t *order, uint32_t count)
{
    if (all_have_sections(l))
        return;
    struct uses_by_variable uses = group_uses(l);
    struct kernel_lists reaching =
        call_graph_kernels_reaching(l->elfw, l->graph, l->users, l->user_count);

    for (uint32_t i = 0; i < count; i++) {
        const struct variable *variable = &l->variables[order[i]];
        if (!variable->is_extern && variable->kernel_count == 1)
            give_section(l, l->kernels[variable->kernel].ordinal);
    }
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t n = uses.start[order[i]];
             l->variables[order[i]].is_coloured && n < uses.start[order[i] + 1]; n++)
            give_sections_to_users(l, &reaching, uses.list[n]);
    for (uint32_t k = 0; k < l->kernel_count; k++)
        l->kernels[k].is_open_alone = !elfw_function(l->elfw, l->kernels[k].ordinal)->shared;
    for (uint32_t i = 0; i < l->elfw->data_uses.count; i++) {
        const struct variable *variable = shared_used_variable(l, &l->elfw->data_uses.at[i]);
        if (variable && variable->is_extern)
            give_sections_to_users(l, &reaching, i);
    }
}
