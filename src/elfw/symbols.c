#include "elfw/elfw.h"

/* The largest section number that fits into st_shndx. */
enum { LAST_DIRECT_SECTION = SHN_LORESERVE - 1 };

int32_t
elfw_find_symbol(const struct elfw *elfw, const char *name)
{
    return name_at(&elfw->names, name_map_find(&elfw->names, name))->index;
}

void
elfw_set_binding(struct symbol_record *symbol, unsigned binding)
{
    symbol->st_info = ELF64_ST_INFO(binding, symbol_type(symbol));
}

/* Section numbers past 16 bits: st_shndx says SHN_XINDEX, an array beside the symbols knows. */
static void
set_extended_section(struct elfw *elfw, int32_t index, uint32_t section)
{
    uint32_t slot = (uint32_t)(index < 0 ? -index : index);

    if (index < 0) {
        while (elfw->neg_sections.count <= slot)
            array_push(&elfw->neg_sections, elfw->arena, 0);
        elfw->neg_sections.at[slot] = section;
    } else {
        while (elfw->pos_sections.count <= slot)
            array_push(&elfw->pos_sections, elfw->arena, 0);
        elfw->pos_sections.at[slot] = section;
    }
}

void
elfw_set_symbol_section(struct elfw *elfw, int32_t index, uint32_t section)
{
    struct symbol_record *symbol = elfw_get_symbol(elfw, index);

    if (section <= LAST_DIRECT_SECTION) {
        symbol->st_shndx = (uint16_t)section;
    } else if (section == COMMON_SECTION) {
        symbol->st_shndx = SHN_COMMON;
    } else {
        symbol->st_shndx = SHN_XINDEX;
        set_extended_section(elfw, index, section);
    }
}

static void
check_new_function(struct elfw *elfw, uint8_t type)
{
    if (elfw->callgraph_completed && type == STT_FUNC)
        diag_fatal(elfw->diag, "Internal error: adding function after callgraph completed");
}

/*
 * Locals of one name are independent of each other and of a global of that name, so only globals
 * and weak symbols are entered into the name map; a local's name is interned for the string table
 * alone.
 */
static uint32_t
enter_name(struct elfw *elfw, const struct new_symbol *add)
{
    uint32_t id = add->name_id ? add->name_id : name_map_add(&elfw->names, add->name);
    struct name *name = name_at(&elfw->names, id);

    if (add->binding == STB_LOCAL)
        return id;
    if (name->index && symbol_binding(elfw_get_symbol(elfw, name->index)) == STB_GLOBAL &&
        add->binding == STB_GLOBAL)
        diag_fatal(elfw->diag, "Internal error: adding global symbols of same name");
    if (!name->index)
        name->input = elfw->objects.count - 1;
    return id;
}

static int32_t
register_function(struct elfw *elfw, int32_t symbol)
{
    uint32_t ordinal = elfw->functions.count;
    struct function *function = array_add(&elfw->functions, elfw->arena);

    function->symbol = symbol;
    function->first_object = elfw->objects.count - 1;
    return (int32_t)ordinal;
}

/* Zeroed, but for its index. */
static struct symbol_record *
new_record(struct elfw *elfw, uint8_t binding)
{
    struct symbol_record *symbol;

    if (binding == STB_GLOBAL) {
        symbol = array_add(&elfw->neg_symbols, elfw->arena);
        symbol->sym_index = -(int32_t)(elfw->neg_symbols.count - 1);
    } else {
        symbol = array_add(&elfw->pos_symbols, elfw->arena);
        symbol->sym_index = (int32_t)(elfw->pos_symbols.count - 1);
    }
    return symbol;
}

int32_t
elfw_add_symbol(struct elfw *elfw, const struct new_symbol *add)
{
    check_new_function(elfw, add->type);
    uint32_t id = enter_name(elfw, add);
    struct name *name = name_at(&elfw->names, id);
    struct symbol_record *symbol = new_record(elfw, add->binding);
    int32_t index = symbol->sym_index;

    symbol->st_info = ELF64_ST_INFO(add->binding, add->type);
    symbol->st_other = add->other;
    symbol->st_value = add->value;
    symbol->st_size = add->size;
    symbol->name_str = name->text;
    symbol->name_id = id;
    if (add->type == STT_FUNC)
        symbol->func_ordinal = register_function(elfw, index);
    if (add->binding != STB_LOCAL)
        name->index = index;
    else
        name->local = index;
    elfw_set_symbol_section(elfw, index, add->section);
    return index;
}

/* Half of all symbols are such. */
int32_t
elfw_add_section_symbol(struct elfw *elfw, uint32_t section)
{
    uint32_t id = elfw_section(elfw, section)->name_id;
    struct name *name = name_at(&elfw->names, id);
    struct symbol_record *symbol = new_record(elfw, STB_LOCAL);

    symbol->st_info = ELF64_ST_INFO(STB_LOCAL, STT_SECTION);
    symbol->name_str = name->text;
    symbol->name_id = id;
    name->local = symbol->sym_index;
    elfw_set_symbol_section(elfw, symbol->sym_index, section);
    return symbol->sym_index;
}

void
elfw_add_alias(struct elfw *elfw, int32_t of, int32_t alias)
{
    struct symbol_record *target = elfw_get_symbol(elfw, of);
    struct symbol_record *symbol = elfw_get_symbol(elfw, alias);

    symbol->alias_chain = target->alias_chain;
    target->alias_chain = alias;
}

bool
elfw_symbol_is_deleted(const struct elfw *elfw, int32_t index)
{
    return index && !(index < 0 ? elfw->neg_remap[-index] : elfw->pos_remap[index]);
}

uint32_t
elfw_remap_symbol(const struct elfw *elfw, int32_t index)
{
    if (!elfw->pos_remap || index == 0)
        return 0;
    if (elfw_symbol_is_deleted(elfw, index))
        diag_fatal(elfw->diag, "Internal error: reference to deleted symbol");
    return index < 0 ? elfw->neg_remap[-index] : elfw->pos_remap[index];
}

void
elfw_place(struct elfw *elfw, int32_t index)
{
    struct symbol_record *symbol = elfw_get_symbol(elfw, index);

    if (symbol->data_ordinal)
        return;
    symbol->data_ordinal = (int32_t)elfw->placed.count;
    /* What is never placed: shared variables have no address, image references slot 0. */
    uint64_t address = is_image_type(symbol_type(symbol)) ? 0 : UINT64_MAX;
    array_push(&elfw->placed, elfw->arena, ((struct placed){.symbol = index, .address = address}));
}

uint64_t
elfw_reserved_shared(const struct elfw *elfw)
{
    return elfw_flag(elfw, MERGE_NO_SMEM_RESERVATION) ? 0 : elfw->arch->generation->reserved_shared;
}

static bool
is_shared_variable(const struct symbol_record *symbol)
{
    return memory_space(symbol->st_other) == STO_CUDA_SHARED && symbol->data_ordinal;
}

bool
elfw_object_is_written(const struct elfw *elfw, const struct symbol_record *symbol)
{
    bool debug = elfw_flag(elfw, MERGE_DEBUG), preserve = elfw_flag(elfw, MERGE_PRESERVE_RELOCS);

    if (elfw_flag(elfw, MERGE_RELOCATABLE))
        return true;
    if (ELF64_ST_VISIBILITY(symbol->st_other) == STV_INTERNAL) {
        uint32_t section = elfw_symbol_section(elfw, symbol);
        return preserve && memory_space(symbol->st_other) == STO_CUDA_CONSTANT &&
               elfw_section(elfw, section)->state == SECTION_LIVE;
    }
    if (is_shared_variable(symbol)) {
        const struct placed *placed = &elfw->placed.at[symbol->data_ordinal];
        return placed->is_used &&
               (debug || (preserve && (!placed->is_open_array || placed->is_stray)));
    }
    uint32_t section = elfw_symbol_section(elfw, symbol);
    return !section || section == COMMON_SECTION ||
           elfw_section(elfw, section)->state != SECTION_DEAD;
}

bool
elfw_name_is_written(const struct elfw *elfw, const struct symbol_record *symbol)
{
    switch (symbol_type(symbol)) {
    case STT_SECTION:
        return elfw_section(elfw, elfw_symbol_section(elfw, symbol))->state != SECTION_DEAD;
    case STT_FUNC:
        return !elfw_function(elfw, symbol_function(symbol))->is_dead &&
               ELF64_ST_VISIBILITY(symbol->st_other) != STV_INTERNAL;
    }
    return elfw_object_is_written(elfw, symbol);
}
