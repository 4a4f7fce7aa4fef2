#include "elfw/syscalls.h"
#include "layout/layout.h"

/*
 * Keeps what the roots reach through direct and indirect calls. A function whose address is taken
 * stays even if nothing reached refers to it, but is not followed: that code cannot run. System
 * calls that a kept function calls stay too. Variables and constants are never removed.
 */

struct marker {
    struct elfw *elfw;
    uint32_t *pending;
    uint32_t pending_count;
    bool *prototype_reached;
    struct taken_functions taken;
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
    for (uint32_t i = marker->taken.start[prototype]; i < marker->taken.start[prototype + 1]; i++)
        mark(marker, marker->taken.at[i]);
}

/* Nothing is called through "no prototype" and through the empty one of kernels. */
static void
close_prototypes(struct marker *marker)
{
    marker->prototype_reached[NO_PROTOTYPE] = true;
    marker->prototype_reached[name_map_find(&marker->elfw->prototypes, "")] = true;
}

static void
mark_reached(struct elfw *elfw)
{
    struct arena_mark before = arena_mark(&elfw->scratch);
    struct marker marker = {
        .elfw = elfw,
        .pending = arena_array(&elfw->scratch, elfw->functions.count, sizeof(uint32_t)),
        .prototype_reached =
            arena_array(&elfw->scratch, (size_t)elfw->prototypes.names.count + 1, sizeof(bool)),
        .taken = elfw_group_taken(elfw, &elfw->scratch),
    };

    close_prototypes(&marker);
    for (uint32_t f = 1; f < elfw->functions.count; f++)
        if (elfw_function_is_entry(elfw, f))
            mark(&marker, f);
    while (marker.pending_count) {
        const struct function *function =
            elfw_function(elfw, marker.pending[--marker.pending_count]);

        for (uint32_t e = function->callees; e; e = elfw->edges.at[e].next)
            mark(&marker, elfw->edges.at[e].to);
        for (uint32_t e = function->indirect_calls; e; e = elfw->edges.at[e].next)
            mark_prototype(&marker, elfw->edges.at[e].to);
    }
    arena_release(&elfw->scratch, before);
}

/* The one system call that stays undefined although nothing calls it. */
static void
revive_system_call(struct elfw *elfw)
{
    uint32_t function =
        symbol_function(elfw_get_symbol(elfw, elfw_find_symbol(elfw, SYSCALL_ALWAYS_KEPT)));

    if (function && elfw_function_is_undefined(elfw, function))
        elfw_function(elfw, function)->is_dead = false;
}

static void
decide_life(struct elfw *elfw)
{
    for (uint32_t f = 1; f < elfw->functions.count; f++) {
        struct function *function = elfw_function(elfw, f);
        function->is_dead = !function->is_reached && !function->is_address_taken;
    }
    /* A second name of a function is of no use without it. What lies inside a kernel, as all
       functions of a whole program do, stays with it. */
    for (uint32_t f = 1; f < elfw->functions.count; f++) {
        struct function *function = elfw_function(elfw, f);
        uint32_t owner = function->is_alias ? elfw_alias_owner(elfw, f) : 0;
        if (function->is_inner)
            function->is_dead = elfw_function(elfw, owner)->is_dead;
        else if (owner && !function->is_dead)
            elfw_function(elfw, owner)->is_dead = false;
    }
    for (uint32_t f = 1; f < elfw->functions.count; f++) {
        if (elfw_function(elfw, f)->is_dead)
            continue;
        for (uint32_t e = elfw_function(elfw, f)->callees; e; e = elfw->edges.at[e].next)
            if (elfw_function_is_undefined(elfw, elfw->edges.at[e].to))
                elfw_function(elfw, elfw->edges.at[e].to)->is_dead = false;
    }
}

/* The section for shared memory that a kernel has from the start stays, empty and never written, as
   a name in the string tables, where host code and not an option says that the kernel is unused; so
   does that of a system call. */
static void
bury_sections(struct elfw *elfw, const struct function *function)
{
    bool keeps_name = elfw->host_references || function->is_system_call;

    for (uint32_t i = function->first_owned; i; i = elfw_section(elfw, i)->next_owned)
        elfw_section(elfw, i)->state =
            i == function->shared && keeps_name ? SECTION_NAME_ONLY : SECTION_DEAD;
}

/*
 * nvlink forgets that the address of a function is taken when only inputs whose own definition of
 * it lost say so, and then removes it although their data points to it. Such a function counts as
 * taken by address.
 */
static bool
revive_functions_in_data(struct elfw *elfw)
{
    bool any = false;

    for (uint32_t f = 1; f < elfw->functions.count; f++) {
        struct function *function = elfw_function(elfw, f);
        if (function->is_dead && function->is_in_data)
            any = function->is_address_taken = true;
    }
    return any;
}

void
drop_dead_code(struct elfw *elfw)
{
    mark_reached(elfw);
    decide_life(elfw);
    if (revive_functions_in_data(elfw)) {
        for (uint32_t f = 1; f < elfw->functions.count; f++)
            elfw_function(elfw, f)->is_reached = false;
        mark_reached(elfw);
        decide_life(elfw);
    }
    revive_system_call(elfw);
    for (uint32_t f = 1; f < elfw->functions.count; f++)
        if (elfw_function(elfw, f)->is_dead)
            bury_sections(elfw, elfw_function(elfw, f));
}
