#include "layout/layout.h"

/*
 * Keeps what the roots reach through direct and indirect calls. A function whose address is taken
 * stays even if nothing reached refers to it, but is not followed: that code cannot run. System
 * calls that a kept function calls stay too. Variables and constants are never removed.
 */

static bool
is_root(const struct elfw *elfw, uint32_t ordinal, const struct roots *roots)
{
    if (!elfw_function_is_entry(elfw, ordinal))
        return false;
    for (uint32_t i = 0; i < roots->name_count && !roots->all; i++)
        if (strstr(elfw_function_name(elfw, ordinal), roots->names[i]))
            return true;
    return roots->all;
}

struct marker {
    struct elfw *elfw;
    uint32_t *pending;
    uint32_t pending_count;
    bool *prototype_reached;
    uint32_t *taken_start, *taken; /* per prototype: the functions taken under it */
};

static void
mark(struct marker *marker, uint32_t ordinal)
{
    struct function *function = elfw_function(marker->elfw, ordinal);

    if (function->is_reached)
        return;
    function->is_reached = true;
    marker->pending[marker->pending_count++] = ordinal;
}

static void
mark_prototype(struct marker *marker, uint32_t prototype)
{
    if (marker->prototype_reached[prototype])
        return;
    marker->prototype_reached[prototype] = true;
    for (uint32_t i = marker->taken_start[prototype]; i < marker->taken_start[prototype + 1]; i++)
        mark(marker, marker->taken[i]);
}

static void
group_by_prototype(struct marker *marker)
{
    struct elfw *elfw = marker->elfw;
    uint32_t prototypes = elfw->prototypes.names.count;
    uint32_t *start = arena_array(elfw->arena, (size_t)prototypes + 2, sizeof *start);

    marker->taken = arena_array(elfw->arena, elfw->functions.count, sizeof *marker->taken);
    for (uint32_t f = 1; f < elfw->functions.count; f++)
        start[elfw_function(elfw, f)->address_taken + 1]++;
    for (uint32_t p = 0; p <= prototypes; p++)
        start[p + 1] += start[p];
    for (uint32_t f = 1; f < elfw->functions.count; f++)
        marker->taken[start[elfw_function(elfw, f)->address_taken]++] = f;
    memmove(start + 1, start, (size_t)prototypes * sizeof *start);
    start[0] = 0;
    marker->taken_start = start;
    /* Nothing is called through "no prototype" and through the empty one of kernels. */
    marker->prototype_reached[NO_PROTOTYPE] = true;
    marker->prototype_reached[name_map_find(&elfw->prototypes, "")] = true;
}

static void
mark_reached(struct elfw *elfw, const struct roots *roots)
{
    struct marker marker = {
        .elfw = elfw,
        .pending = arena_array(elfw->arena, elfw->functions.count, sizeof(uint32_t)),
        .prototype_reached =
            arena_array(elfw->arena, (size_t)elfw->prototypes.names.count + 1, sizeof(bool)),
    };

    group_by_prototype(&marker);
    for (uint32_t f = 1; f < elfw->functions.count; f++)
        if (is_root(elfw, f, roots))
            mark(&marker, f);
    while (marker.pending_count) {
        const struct function *function =
            elfw_function(elfw, marker.pending[--marker.pending_count]);

        for (uint32_t e = function->callees; e; e = elfw->edges.at[e].next)
            mark(&marker, elfw->edges.at[e].to);
        for (uint32_t e = function->indirect_calls; e; e = elfw->edges.at[e].next)
            mark_prototype(&marker, elfw->edges.at[e].to);
    }
}

static void
decide_life(struct elfw *elfw)
{
    for (uint32_t f = 1; f < elfw->functions.count; f++) {
        struct function *function = elfw_function(elfw, f);
        function->is_dead = !function->is_reached && !function->address_taken;
    }
    for (uint32_t f = 1; f < elfw->functions.count; f++) {
        if (elfw_function(elfw, f)->is_dead)
            continue;
        for (uint32_t e = elfw_function(elfw, f)->callees; e; e = elfw->edges.at[e].next)
            if (elfw_function_is_undefined(elfw, elfw->edges.at[e].to))
                elfw_function(elfw, elfw->edges.at[e].to)->is_dead = false;
    }
}

static void
bury_sections(struct elfw *elfw, const struct function *function)
{
    for (uint32_t i = function->first_owned; i; i = elfw_section(elfw, i)->next_owned)
        elfw_section(elfw, i)->state = SECTION_DEAD;
}

void
drop_dead_code(struct elfw *elfw, const struct roots *roots)
{
    mark_reached(elfw, roots);
    decide_life(elfw);
    for (uint32_t f = 1; f < elfw->functions.count; f++)
        if (elfw_function(elfw, f)->is_dead)
            bury_sections(elfw, elfw_function(elfw, f));
}
