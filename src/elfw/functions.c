#include "elfw/elfw.h"

struct function *
elfw_function(const struct elfw *elfw, uint32_t ordinal)
{
    return &elfw->functions.at[ordinal];
}

struct symbol_record *
elfw_function_symbol(const struct elfw *elfw, uint32_t ordinal)
{
    return elfw_get_symbol(elfw, elfw_function(elfw, ordinal)->symbol);
}

const char *
elfw_function_name(const struct elfw *elfw, uint32_t ordinal)
{
    return elfw_function_symbol(elfw, ordinal)->name_str;
}

bool
elfw_function_is_undefined(const struct elfw *elfw, uint32_t ordinal)
{
    return elfw_function_symbol(elfw, ordinal)->st_shndx == SHN_UNDEF;
}

bool
elfw_function_is_entry(const struct elfw *elfw, uint32_t ordinal)
{
    const struct symbol_record *symbol = elfw_function_symbol(elfw, ordinal);
    return symbol_is_entry(symbol) && symbol->st_shndx != SHN_UNDEF;
}

uint32_t
elfw_text_owner(const struct elfw *elfw, uint32_t section)
{
    uint32_t owner = elfw_section(elfw, section)->owner;
    return owner && elfw_function(elfw, owner)->text == section ? owner : 0;
}

void
elfw_add_edge(struct elfw *elfw, uint32_t *list, uint32_t to)
{
    uint32_t edge = elfw->edges.count;

    array_push(&elfw->edges, elfw->arena, ((struct edge){.to = to, .next = *list}));
    *list = edge;
}
