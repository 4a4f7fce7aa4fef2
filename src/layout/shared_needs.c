#include "layout/shared_layout.h"

#include <stdlib.h>

void
shared_collect_variables(struct shared_layout *l)
{
    struct elfw *elfw = l->elfw;
    uint32_t mentions = elfw->shared_mentions.count;

    l->variables = arena_array(&elfw->scratch, mentions, sizeof *l->variables);
    l->variable_of = arena_array(&elfw->scratch, elfw->placed.count, sizeof *l->variable_of);
    for (uint32_t i = 0; i < mentions; i++) {
        struct shared_mention mention = elfw->shared_mentions.at[i];
        const struct symbol_record *symbol = elfw_get_symbol(elfw, mention.symbol);
        bool is_defined = symbol->st_shndx != SHN_UNDEF;

        if (mention.is_definition != is_defined)
            continue; /* an open array that turned out to have a definition */
        uint32_t section = elfw_symbol_section(elfw, symbol);
        uint32_t owner = is_defined ? elfw_section(elfw, section)->owner : 0;
        if (owner && elfw_function(elfw, owner)->is_dead)
            continue;
        /* A whole program with debug information defines its open arrays, without a size. */
        bool is_extern = !is_defined || (!owner && !symbol->st_size);
        l->variables[l->variable_count++] = (struct variable){
            .symbol = mention.symbol,
            .size = symbol->st_size,
            .align = symbol->st_value,
            .is_extern = is_extern,
            .is_given = mention.is_given,
            .owner = owner,
        };
        l->variable_of[symbol->data_ordinal] = l->variable_count;
        l->any_extern |= is_extern;
    }
}

static bool
is_kernel_that_stays(const struct elfw *elfw, uint32_t ordinal)
{
    return !elfw_function(elfw, ordinal)->is_dead &&
           (elfw_function_is_defined_entry(elfw, ordinal) ||
            elfw_function(elfw, ordinal)->is_system_call);
}

static void
collect_kernels(struct shared_layout *l)
{
    struct elfw *elfw = l->elfw;
    uint32_t count = 0;

    for (uint32_t f = 1; f < elfw->functions.count; f++)
        count += is_kernel_that_stays(elfw, f);
    l->kernels = arena_array(&elfw->scratch, count, sizeof *l->kernels);
    l->kernel_of = arena_array(&elfw->scratch, elfw->functions.count, sizeof *l->kernel_of);
    for (uint32_t f = 1; f < elfw->functions.count; f++) {
        if (!is_kernel_that_stays(elfw, f))
            continue;
        l->kernels[l->kernel_count] =
            (struct kernel){.ordinal = f, .team = NO_TEAM, .group = l->kernel_count};
        l->kernel_count++;
        if (elfw_function_is_defined_entry(elfw, f))
            l->kernel_of[f] = l->kernel_count;
    }
}

struct variable *
shared_used_variable(const struct shared_layout *l, const struct data_use *use)
{
    const struct symbol_record *symbol = elfw_get_symbol(l->elfw, use->symbol);

    if (is_image_type(symbol_type(symbol)) || !use_counts(l->elfw, use))
        return NULL;
    uint32_t variable = l->variable_of[symbol->data_ordinal];
    return variable ? &l->variables[variable - 1] : NULL;
}

/* Device functions in whose text shared memory is used; kernels count for themselves. */
static void
collect_users(struct shared_layout *l)
{
    struct elfw *elfw = l->elfw;

    l->users = arena_array(&elfw->scratch, elfw->functions.count, sizeof *l->users);
    l->user_of = arena_array(&elfw->scratch, elfw->functions.count, sizeof *l->user_of);
    for (uint32_t i = 0; i < elfw->data_uses.count; i++) {
        const struct data_use *use = &elfw->data_uses.at[i];
        struct variable *variable = shared_used_variable(l, use);

        if (!variable)
            continue;
        variable->has_user = true;
        if (elfw_function(elfw, use->function)->is_dead || l->kernel_of[use->function] ||
            l->user_of[use->function])
            continue;
        l->users[l->user_count] = use->function;
        l->user_of[use->function] = ++l->user_count;
    }
}

static uint32_t
team_of_set(struct shared_layout *l, struct reach_sets *sets, uint32_t set, uint32_t *team_of,
            uint32_t *room)
{
    if (set == EMPTY_SET)
        return NO_TEAM;
    if (team_of[set])
        return team_of[set] - 1;
    struct team team = {.first_user = l->team_users.count};
    team.user_count = reach_set_members(sets, set, room);
    for (uint32_t i = 0; i < team.user_count; i++)
        array_push(&l->team_users, &l->elfw->scratch, room[i]);
    array_push(&l->teams, &l->elfw->scratch, team);
    team_of[set] = l->teams.count;
    return l->teams.count - 1;
}

/* A system call that counts as a kernel needs what it calls, not what its own text does. */
static uint32_t
team_of_system_call(struct shared_layout *l, struct reach_sets *sets, uint32_t ordinal,
                    uint32_t *room)
{
    uint32_t count = reach_set_members(sets, sets->set_of[l->graph->component[ordinal]], room);
    bool counts_itself = call_graph_is_recursive(l->graph, ordinal);
    struct team team = {.first_user = l->team_users.count};

    for (uint32_t i = 0; i < count; i++)
        if (counts_itself || l->users[room[i]] != ordinal)
            array_push(&l->team_users, &l->elfw->scratch, room[i]);
    team.user_count = l->team_users.count - team.first_user;
    if (!team.user_count)
        return NO_TEAM;
    array_push(&l->teams, &l->elfw->scratch, team);
    return l->teams.count - 1;
}

/* What is left out by --kernels-used has none: only its own text counts. */
static uint32_t
team_of_kernel(struct shared_layout *l, struct reach_sets *sets, uint32_t ordinal,
               uint32_t *team_of, uint32_t *room)
{
    if (!elfw_function_is_entry(l->elfw, ordinal))
        return NO_TEAM;
    if (elfw_function(l->elfw, ordinal)->is_system_call)
        return team_of_system_call(l, sets, ordinal, room);
    return team_of_set(l, sets, sets->set_of[l->graph->component[ordinal]], team_of, room);
}

/* Kernels that reach the same users. */
static void
form_teams(struct shared_layout *l)
{
    struct elfw *elfw = l->elfw;
    struct reach_sets *sets = reach_sets_build(&elfw->scratch, l->graph, l->users, l->user_count);
    uint32_t *team_of = arena_array(&elfw->scratch, sets->sets.count, sizeof *team_of);
    uint32_t *room = arena_array(&elfw->scratch, (size_t)l->user_count + 1, sizeof *room);

    for (uint32_t k = 0; k < l->kernel_count; k++) {
        l->kernels[k].team = team_of_kernel(l, sets, l->kernels[k].ordinal, team_of, room);
        if (l->kernels[k].team != NO_TEAM)
            l->teams.at[l->kernels[k].team].member_count++;
    }
}

static void
collect_teams(struct shared_layout *l)
{
    struct elfw *elfw = l->elfw;
    uint32_t first = 0;

    if (l->user_count)
        form_teams(l);
    l->members = arena_array(&elfw->scratch, (size_t)l->kernel_count + 1, sizeof *l->members);
    for (uint32_t t = 0; t < l->teams.count; t++) {
        l->teams.at[t].first_member = first;
        first += l->teams.at[t].member_count;
        l->teams.at[t].member_count = 0;
    }
    for (uint32_t k = 0; k < l->kernel_count; k++) {
        if (l->kernels[k].team == NO_TEAM)
            continue;
        struct team *team = &l->teams.at[l->kernels[k].team];
        l->members[team->first_member + team->member_count++] = k;
    }
    l->parties = arena_array(&elfw->scratch, (size_t)l->teams.count + l->kernel_count + 1,
                             sizeof *l->parties);
}

struct need {
    uint32_t variable;
    uint32_t party;
};

typedef ARRAY(struct need) need_list;

static int
compare_needs(const void *a, const void *b)
{
    const struct need *x = a, *y = b;

    if (x->variable != y->variable)
        return x->variable < y->variable ? -1 : 1;
    return x->party < y->party ? -1 : x->party > y->party;
}

/* What kernels use in their own text, and their own variables, used or not. */
static void
list_direct_needs(struct shared_layout *l, need_list *needs)
{
    struct elfw *elfw = l->elfw;
    uint32_t teams = l->teams.count;

    for (uint32_t i = 0; i < elfw->data_uses.count; i++) {
        const struct data_use *use = &elfw->data_uses.at[i];
        struct variable *variable = shared_used_variable(l, use);
        uint32_t kernel = variable ? l->kernel_of[use->function] : 0;

        if (kernel)
            array_push(needs, &elfw->scratch,
                       ((struct need){(uint32_t)(variable - l->variables), teams + kernel - 1}));
    }
    for (uint32_t v = 0; v < l->variable_count; v++) {
        /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): as many as are counted */
        uint32_t kernel = l->kernel_of[l->variables[v].owner];
        if (l->variables[v].owner && kernel)
            array_push(needs, &elfw->scratch, ((struct need){v, teams + kernel - 1}));
    }
}

/* The variables that each user uses: those of u are list[start[u]] .. list[start[u + 1] - 1]. */
static uint32_t *
group_by_user(struct shared_layout *l, uint32_t **start)
{
    struct elfw *elfw = l->elfw;
    uint32_t *list = arena_array(&elfw->scratch, (size_t)elfw->data_uses.count + 1, sizeof *list);

    *start = arena_array(&elfw->scratch, (size_t)l->user_count + 2, sizeof **start);
    for (int pass = 0; pass < 2; pass++) {
        for (uint32_t i = 0; i < elfw->data_uses.count; i++) {
            const struct data_use *use = &elfw->data_uses.at[i];
            struct variable *variable = shared_used_variable(l, use);
            uint32_t user = variable ? l->user_of[use->function] : 0;

            if (!user)
                continue;
            if (pass == 0)
                (*start)[user]++;
            else
                list[(*start)[user - 1]++] = (uint32_t)(variable - l->variables);
        }
        for (uint32_t u = 0; u < l->user_count && pass == 0; u++)
            (*start)[u + 1] += (*start)[u];
    }
    memmove(*start + 1, *start, (size_t)l->user_count * sizeof **start);
    (*start)[0] = 0;
    return list;
}

static void
list_team_needs(struct shared_layout *l, need_list *needs)
{
    uint32_t *start;
    uint32_t *used = group_by_user(l, &start);

    for (uint32_t t = 0; t < l->teams.count; t++) {
        const struct team *team = &l->teams.at[t];
        for (uint32_t i = 0; i < team->user_count; i++) {
            uint32_t user = l->team_users.at[team->first_user + i];
            for (uint32_t n = start[user]; n < start[user + 1]; n++)
                array_push(needs, &l->elfw->scratch, ((struct need){used[n], t}));
        }
    }
}

/* Notes that the party needs the variable; more than one kernel is as good as many. */
static void
add_need(struct shared_layout *l, struct variable *variable, uint32_t party)
{
    uint32_t teams = l->teams.count;

    if (!variable->need_count++)
        variable->first_need = l->needs.count;
    array_push(&l->needs, &l->elfw->scratch, party);
    if (party < teams) {
        const struct team *team = &l->teams.at[party];
        variable->kernel =
            variable->kernel_count ? variable->kernel : l->members[team->first_member];
        variable->kernel_count += team->member_count;
    } else if (!variable->kernel_count || variable->kernel != party - teams) {
        variable->kernel = variable->kernel_count ? variable->kernel : party - teams;
        variable->kernel_count++;
    }
    if (variable->kernel_count > 2)
        variable->kernel_count = 2;
}

void
shared_collect_needs(struct shared_layout *l)
{
    need_list needs = {0};

    collect_kernels(l);
    collect_users(l);
    collect_teams(l);
    list_team_needs(l, &needs);
    list_direct_needs(l, &needs);
    if (needs.count)
        qsort(needs.at, needs.count, sizeof *needs.at, compare_needs);
    for (uint32_t i = 0; i < needs.count; i++)
        if (!i || compare_needs(&needs.at[i], &needs.at[i - 1]))
            add_need(l, &l->variables[needs.at[i].variable], needs.at[i].party);
}
