#include "layout/shared_layout.h"

/*
 * An open array begins at one address in each function that uses one: a function that several
 * kernels reach ties their ends together. With -g the address is one per array.
 */

/* Kernels whose open arrays must begin at one address form a group. */
static uint32_t
group_of(struct shared_layout *l, uint32_t kernel)
{
    while (l->kernels[kernel].group != kernel) {
        l->kernels[kernel].group = l->kernels[l->kernels[kernel].group].group;
        kernel = l->kernels[kernel].group;
    }
    return kernel;
}

static void
join_groups(struct shared_layout *l, uint32_t a, uint32_t b)
{
    a = group_of(l, a);
    b = group_of(l, b);
    if (a < b)
        l->kernels[b].group = a;
    else
        l->kernels[a].group = b;
}

/* A kernel with open arrays joins the one that was first met with the same function or array. */
static void
enter_open_kernel(struct shared_layout *l, uint32_t kernel, uint32_t *first)
{
    struct party *party = kernel_party(l, kernel);

    party->end = align_up(max_u64(party->end, l->lowest), OPEN_ARRAY_ALIGN);
    party->align = max_u64(party->align, OPEN_ARRAY_ALIGN);
    party->has_any = true;
    if (*first == NO_KERNEL)
        *first = kernel;
    join_groups(l, *first, kernel);
}

static void
enter_open_party(struct shared_layout *l, uint32_t party, uint32_t *first)
{
    if (party >= l->teams.count) {
        enter_open_kernel(l, party - l->teams.count, first);
        return;
    }
    const struct team *team = &l->teams.at[party];
    for (uint32_t i = 0; i < team->member_count; i++)
        enter_open_kernel(l, l->members[team->first_member + i], first);
}

/* All kernels of a group end where the highest of them ends. */
static void
raise_to_group(struct shared_layout *l)
{
    for (uint32_t k = 0; k < l->kernel_count; k++) {
        struct party *root = kernel_party(l, group_of(l, k));
        root->end = max_u64(root->end, kernel_party(l, k)->end);
    }
    for (uint32_t k = 0; k < l->kernel_count; k++)
        kernel_party(l, k)->end = kernel_party(l, group_of(l, k))->end;
}

/* Which functions use open arrays: those of users by their place, those of kernels by theirs. */
static void
mark_open_users(struct shared_layout *l, bool *user_is_open, bool *kernel_is_open)
{
    struct elfw *elfw = l->elfw;

    for (uint32_t i = 0; i < elfw->data_uses.count; i++) {
        const struct data_use *use = &elfw->data_uses.at[i];
        struct variable *variable = shared_used_variable(l, use);

        if (!variable || !variable->is_extern)
            continue;
        if (l->user_of[use->function])
            user_is_open[l->user_of[use->function] - 1] = true;
        if (l->kernel_of[use->function])
            kernel_is_open[l->kernel_of[use->function] - 1] = true;
    }
}

/* Ties together the kernels that reach a common user; notes one of them for every user. */
static void
tie_kernels(struct shared_layout *l, uint32_t *kernel_of_user)
{
    struct arena *arena = &l->elfw->scratch;
    bool *user_is_open = arena_array(arena, (size_t)l->user_count + 1, sizeof(bool));
    bool *kernel_is_open = arena_array(arena, (size_t)l->kernel_count + 1, sizeof(bool));

    mark_open_users(l, user_is_open, kernel_is_open);
    for (uint32_t t = 0; t < l->teams.count; t++) {
        const struct team *team = &l->teams.at[t];
        bool is_entered = false;

        for (uint32_t i = 0; i < team->user_count; i++) {
            uint32_t user = l->team_users.at[team->first_user + i];
            uint32_t first = l->members[team->first_member];

            if (kernel_of_user[user] == NO_KERNEL)
                kernel_of_user[user] = first;
            if (!user_is_open[user])
                continue;
            if (!is_entered)
                enter_open_party(l, t, &first);
            is_entered = true;
            join_groups(l, kernel_of_user[user], first);
        }
    }
    for (uint32_t k = 0; k < l->kernel_count; k++) {
        uint32_t first = k;
        if (kernel_is_open[k])
            enter_open_kernel(l, k, &first);
    }
}

static void
tie_users_of_arrays(struct shared_layout *l)
{
    for (uint32_t v = 0; v < l->variable_count; v++) {
        const struct variable *variable = &l->variables[v];
        uint32_t first = NO_KERNEL;

        for (uint32_t n = 0; variable->is_extern && n < variable->need_count; n++)
            enter_open_party(l, l->needs.at[variable->first_need + n], &first);
    }
}

/* Where the open arrays of each function, and each of them, begin. */
static void
note_open_starts(struct shared_layout *l, const uint32_t *kernel_of_user)
{
    uint64_t *start_of = l->elfw->open_shared_start;

    for (uint32_t u = 0; u < l->user_count; u++)
        start_of[l->users[u]] =
            kernel_of_user[u] == NO_KERNEL ? UINT64_MAX : kernel_party(l, kernel_of_user[u])->end;
    for (uint32_t k = 0; k < l->kernel_count; k++)
        if (l->kernel_of[l->kernels[k].ordinal])
            start_of[l->kernels[k].ordinal] = kernel_party(l, k)->end;
    for (uint32_t v = 0; v < l->variable_count; v++)
        if (l->variables[v].is_extern)
            l->variables[v].address = l->variables[v].kernel_count
                                          ? kernel_party(l, l->variables[v].kernel)->end
                                          : align_up(l->lowest, OPEN_ARRAY_ALIGN);
}

void
shared_place_open_arrays(struct shared_layout *l)
{
    struct elfw *elfw = l->elfw;

    if (!l->any_extern)
        return;
    uint32_t *kernel_of_user =
        arena_array(&elfw->scratch, (size_t)l->user_count + 1, sizeof *kernel_of_user);
    elfw->open_shared_start =
        arena_array(elfw->arena, elfw->functions.count, sizeof *elfw->open_shared_start);
    memset(kernel_of_user, 0xff, ((size_t)l->user_count + 1) * sizeof *kernel_of_user);
    tie_kernels(l, kernel_of_user);
    if (elfw_flag(elfw, MERGE_DEBUG))
        tie_users_of_arrays(l);
    raise_to_group(l);
    note_open_starts(l, kernel_of_user);
}
