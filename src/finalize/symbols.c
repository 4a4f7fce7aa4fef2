#include "finalize/finalize.h"
#include "finalize/late_tables.h"
#include "mercury/mercury.h"

static bool
section_symbol_is_written(const struct elfw *elfw, const struct symbol_record *symbol)
{
    const struct section *section = elfw_section(elfw, elfw_symbol_section(elfw, symbol));

    switch (section->type) {
    case SHT_STRTAB:
    case SHT_SYMTAB:
    case SHT_SYMTAB_SHNDX:
    case SHT_REL:
    case SHT_RELA:
    case SHT_CUDA_RESOLVED_RELA:
    case SHT_CUDA_INFO:
    case SHT_CUDA_COMPAT:
        return false;
    case SHT_CUDA_CALLGRAPH:
    case SHT_CUDA_PROTOTYPE:
        return section_is_written(elfw, section); /* its rows are made later */
    }
    uint64_t size = section->twin ? elfw_section(elfw, section->twin)->size : section->size;
    return section_is_written(elfw, section) && size > 0 && !section->has_no_symbol;
}

static bool
symbol_is_written(const struct elfw *elfw, const struct symbol_record *symbol, bool has_name)
{
    if (symbol_type(symbol) == STT_SECTION)
        return section_symbol_is_written(elfw, symbol);
    return has_name && (elfw_flag(elfw, MERGE_RELOCATABLE) || !is_unified_table(symbol->name_str));
}

/* `before`: records of the other array that stand before these. Returns the number that is next. Whether
   its name is written is noted in place of the name, too: sections and functions are looked at once. */
static uint32_t
number_array(struct elfw *elfw, struct symbol_record *records, uint32_t count, uint32_t before,
             uint32_t next)
{
    uint32_t *remap = before ? elfw->neg_remap : elfw->pos_remap;

    for (uint32_t i = 1; i < count; i++) {
        records[i].st_name = elfw_name_is_written(elfw, &records[i]);
        if (!symbol_is_written(elfw, &records[i], records[i].st_name))
            continue;
        cut_table(elfw, &elfw->symbol_cuts, next * (uint64_t)sizeof(Elf64_Sym), sizeof(Elf64_Sym),
                  before + i);
        remap[i] = next++;
    }
    return next;
}

/* Null, the positive array, the negative array: a number for each symbol that stays. */
void
number_symbols(struct elfw *elfw)
{
    uint32_t next = 1;

    elfw->pos_remap = arena_array(elfw->arena, elfw->pos_symbols.count, sizeof(uint32_t));
    elfw->neg_remap = arena_array(elfw->arena, elfw->neg_symbols.count, sizeof(uint32_t));
    cut_table(elfw, &elfw->symbol_cuts, 0, sizeof(Elf64_Sym), 0);
    next = number_array(elfw, elfw->pos_symbols.at, elfw->pos_symbols.count, 0, next);
    elfw_section(elfw, elfw->symtab)->info = next;
    next = number_array(elfw, elfw->neg_symbols.at, elfw->neg_symbols.count,
                        elfw->pos_symbols.count, next);
    elfw_section(elfw, elfw->symtab)->size = (uint64_t)next * sizeof(Elf64_Sym);
    if (elfw->view->is_mercury)
        mercury_number_symbols(elfw, next);
}

/* In an executable the CUDA types and memory spaces of symbols are gone. */
static void
rewrite_for_loader(const struct elfw *elfw, Elf64_Sym *symbol)
{
    unsigned space = memory_space(symbol->st_other);
    bool is_shared = space == STO_CUDA_SHARED;

    if (ELF64_ST_TYPE(symbol->st_info) == STT_CUDA_OBJECT && space)
        symbol->st_info = ELF64_ST_INFO(ELF64_ST_BIND(symbol->st_info), STT_OBJECT);
    symbol->st_other &= (uint8_t)~STO_CUDA_SPACE;
    if (ELF64_ST_VISIBILITY(symbol->st_other) == STV_HIDDEN)
        symbol->st_other &= (uint8_t)~STV_HIDDEN;
    /* Kept only for the sake of --preserve-relocs. */
    if (is_shared && elfw_flag(elfw, MERGE_PRESERVE_RELOCS) && !elfw_flag(elfw, MERGE_DEBUG))
        symbol->st_other |= STV_INTERNAL;
}

/* A relocatable output marks variables that nothing has defined yet. */
static void
mark_undefined(const struct elfw *elfw, const struct symbol_record *record, Elf64_Sym *symbol)
{
    bool is_object = symbol_type(record) == STT_CUDA_OBJECT || symbol_type(record) == STT_OBJECT;
    bool is_open_array = memory_space(record->st_other) == STO_CUDA_SHARED && !record->st_size;

    if (is_object && record->st_shndx == SHN_UNDEF && !is_open_array &&
        !is_loader_object(record->name_str) && record->sym_index != elfw->bank_size_symbol &&
        !name_at(&elfw->names, record->name_id)->is_weak &&
        !elfw_flag(elfw, MERGE_ALLOW_UNDEFINED_GLOBALS))
        symbol->st_value = UINT64_MAX;
}

static Elf64_Sym
symbol_of_file(const struct elfw *elfw, const struct symbol_record *record)
{
    uint32_t section = elfw_symbol_section(elfw, record);
    Elf64_Sym symbol;

    memcpy(&symbol, record, sizeof symbol);
    if (section)
        section = elfw->section_virtual[section];
    symbol.st_shndx = section < SHN_LORESERVE ? (uint16_t)section : (uint16_t)SHN_XINDEX;
    if (elfw_flag(elfw, MERGE_RELOCATABLE))
        mark_undefined(elfw, record, &symbol);
    else
        rewrite_for_loader(elfw, &symbol);
    return symbol;
}

/* Makes what the link says of a symbol what one view of a mercury link says. */
typedef void view_of_symbol(const struct elfw *, const struct symbol_record *, Elf64_Sym *);

static void
write_view(const struct elfw *elfw, struct table_range range, view_of_symbol *change, uint8_t *at)
{
    uint32_t positives = elfw->pos_symbols.count;

    if (!range.from) {
        const Elf64_Sym null = {.st_value = elfw->null_symbol_value};
        memcpy(at, &null, sizeof null);
    }
    for (uint32_t i = range.first; i < range.end; i++) {
        bool is_positive = i < positives;
        uint32_t n = is_positive ? i : i - positives;
        uint32_t number = is_positive ? elfw->pos_remap[n] : elfw->neg_remap[n];

        if (!number)
            continue;
        const struct symbol_record *record =
            is_positive ? &elfw->pos_symbols.at[n] : &elfw->neg_symbols.at[n];
        Elf64_Sym symbol = symbol_of_file(elfw, record);
        if (change)
            change(elfw, record, &symbol);
        memcpy(at + (number * sizeof symbol - range.from), &symbol, sizeof symbol);
    }
}

void
write_symbols(const struct elfw *elfw, struct table_range range, uint8_t *at)
{
    if (!elfw->view->is_mercury) {
        write_view(elfw, range, NULL, at);
        return;
    }
    write_view(elfw, range, mercury_make_sass_symbol, at);
    if (range.to == elfw->sections.at[elfw->symtab].size)
        mercury_write_bank_symbols(elfw, range.from, at);
}

void
write_mercury_symbols(const struct elfw *elfw, struct table_range range, uint8_t *at)
{
    write_view(elfw, range, mercury_make_symbol, at);
}

/* nvlink leaves its own number of the section in the entries that need none; in an executable it
   counts one section more behind .nv.info than are ever written. */
static void
write_extended(const struct elfw *elfw, const struct symbol_record *records, uint32_t count,
               const uint32_t *remap, uint32_t *extended)
{
    for (uint32_t i = 1; i < count; i++) {
        if (!remap[i])
            continue;
        uint32_t creation = elfw_symbol_section(elfw, &records[i]);
        uint32_t uncounted = creation > elfw->nvinfo && !elfw_flag(elfw, MERGE_RELOCATABLE);
        uint32_t section = creation ? elfw->section_virtual[creation] : 0;
        extended[remap[i]] = section < SHN_LORESERVE ? creation + uncounted : section;
    }
}

/* Only .symtab_shndx, where there is one: the table itself is made when it is written. */
void
make_symbol_table(struct elfw *elfw)
{
    struct section *extended = elfw_section(elfw, elfw->symtab_shndx);

    if (extended->size) {
        uint32_t *numbers = arena_zero(elfw->arena, extended->size);
        write_extended(elfw, elfw->pos_symbols.at, elfw->pos_symbols.count, elfw->pos_remap,
                       numbers);
        write_extended(elfw, elfw->neg_symbols.at, elfw->neg_symbols.count, elfw->neg_remap,
                       numbers);
        extended->contents = (uint8_t *)numbers;
    }
}
