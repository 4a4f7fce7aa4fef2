#include "elfw/elfw.h"

bool
elfw_function_is_defined_entry(const struct elfw *elfw, uint32_t ordinal)
{
    const struct symbol_record *symbol = elfw_function_symbol(elfw, ordinal);
    return symbol_is_entry(symbol) && symbol->st_shndx != SHN_UNDEF;
}

struct bytes
elfw_sass_records(const struct elfw *elfw, const struct function *function)
{
    uint32_t input = function->input_info;
    const struct elf_view *elf = input ? &elfw->objects.at[function->object]->elf : NULL;

    return elf && elf->twins ? elf_contents(elf, elf->twins[input]) : (struct bytes){0};
}

bool
elfw_kernel_is_used(const struct elfw *elfw, const char *name)
{
    const struct kernel_filter *filter = elfw->kernels_used;

    for (uint32_t i = 0; filter && i < filter->count; i++)
        if (strstr(name, filter->names[i]))
            return true;
    return !filter;
}

void
elfw_add_edge(struct elfw *elfw, uint32_t *list, uint32_t to)
{
    uint32_t edge = elfw->edges.count;

    array_push(&elfw->edges, elfw->arena, ((struct edge){.to = to, .next = *list}));
    *list = edge;
}

uint32_t
elfw_alias_owner(const struct elfw *elfw, uint32_t ordinal)
{
    uint32_t section = elfw_symbol_section(elfw, elfw_function_symbol(elfw, ordinal));
    return elfw_section(elfw, section)->owner;
}

/* The output has positive symbols, then negative ones, each as they were created. */
static bool
stands_before(int32_t a, int32_t b)
{
    return (a < 0) != (b < 0) ? a > b : (a < 0 ? a > b : a < b);
}

int32_t
elfw_text_symbol(const struct elfw *elfw, uint32_t ordinal)
{
    int32_t first = elfw_function(elfw, ordinal)->symbol;

    if (elfw_function(elfw, ordinal)->is_inner)
        return first;
    for (int32_t alias = elfw_get_symbol(elfw, first)->alias_chain; alias;
         alias = elfw_get_symbol(elfw, alias)->alias_chain) {
        const struct function *second =
            elfw_function(elfw, symbol_function(elfw_get_symbol(elfw, alias)));
        if (!second->is_dead && !second->is_inner && stands_before(alias, first))
            first = alias;
    }
    return first;
}

uint32_t
elfw_pointer_prototype(const struct elfw *elfw, uint32_t ordinal)
{
    const struct function *function = elfw_function(elfw, ordinal);

    if (!function->is_address_taken)
        return NO_PROTOTYPE;
    return function->taken_prototype ? function->taken_prototype : function->prototype;
}

struct taken_functions
elfw_group_taken(const struct elfw *elfw, struct arena *arena)
{
    uint32_t prototypes = elfw->prototypes.names.count;
    struct taken_functions taken = {
        .start = arena_array(arena, (size_t)prototypes + 2, sizeof *taken.start),
        .at = arena_array(arena, elfw->functions.count, sizeof *taken.at),
    };

    /* Counts, then sums, then a fill that moves each start to its end, then a shift back. */
    for (uint32_t f = 1; f < elfw->functions.count; f++)
        taken.start[elfw_pointer_prototype(elfw, f) + 1]++;
    for (uint32_t p = 0; p < prototypes; p++)
        taken.start[p + 1] += taken.start[p];
    for (uint32_t f = 1; f < elfw->functions.count; f++)
        taken.at[taken.start[elfw_pointer_prototype(elfw, f)]++] = f;
    memmove(taken.start + 1, taken.start, (size_t)prototypes * sizeof *taken.start);
    taken.start[0] = 0;
    return taken;
}
