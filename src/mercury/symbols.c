#include "mercury/mercury.h"

#include "mercury/leaf_kernels.h"

/*
 * One numbering for both tables. That of SASS goes on, behind all symbols of the link, with those
 * of the parameter banks.
 */
void
mercury_number_symbols(struct elfw *elfw, uint32_t next)
{
    struct section *table = elfw_section(elfw, elfw->symtab);
    uint32_t common = next;

    elfw_section(elfw, table->twin)->size = (uint64_t)common * sizeof(Elf64_Sym);
    elfw_section(elfw, table->twin)->info = table->info;
    for (uint32_t i = 0; i < elfw->parameter_banks.count; i++)
        elfw_make_sass_part(elfw, elfw->parameter_banks.at[i])->tail_symbol = next++;
    table->size = (uint64_t)next * sizeof(Elf64_Sym);
    if (next > common)
        table->info = next; /* all that come before the last local one */
}

enum { VISIBILITY = 3 };

static uint16_t
section_field(uint32_t section)
{
    return section < SHN_LORESERVE ? (uint16_t)section : (uint16_t)SHN_XINDEX;
}

static uint32_t
mercury_section(const struct elfw *elfw, uint32_t section)
{
    uint32_t twin = elfw->sections.at[section].twin;
    return elfw->section_virtual[twin ? twin : section];
}

void
mercury_make_symbol(const struct elfw *elfw, const struct symbol_record *record, Elf64_Sym *symbol)
{
    const Elf64_Sym link = *symbol;
    uint32_t section = elfw_symbol_section(elfw, record);

    memcpy(symbol, record, sizeof *symbol);
    symbol->st_name = link.st_name;
    symbol->st_other = (uint8_t)((symbol->st_other & ~VISIBILITY) | (link.st_other & VISIBILITY));
    if (elfw_flag(elfw, MERGE_RELOCATABLE))
        symbol->st_value = link.st_value;
    if (section)
        symbol->st_shndx = section_field(mercury_section(elfw, section));
}

/* A second name has the size of the text only where it comes first. */
static bool
is_text_symbol(const struct elfw *elfw, const struct symbol_record *record)
{
    uint32_t owner = elfw_section(elfw, elfw_symbol_section(elfw, record))->owner;
    return owner && elfw_text_symbol(elfw, owner) == record->sym_index;
}

static void
finish_function(const struct elfw *elfw, const struct symbol_record *record, Elf64_Sym *symbol,
                uint64_t text_size)
{
    const struct function *function = elfw_function(elfw, symbol_function(record));

    if (function->is_inner) {
        const Elf64_Sym *own =
            &elfw->objects.at[function->object]->elf.sass_symbols[function->input_symbol];
        const struct section *text = elfw_section(elfw, elfw_symbol_section(elfw, record));
        const struct function *kernel = elfw_function(elfw, text->owner);
        symbol->st_value = moved_place(kernel, own->st_value);
        symbol->st_size = moved_place(kernel, own->st_value + own->st_size) - symbol->st_value;
    } else if (record->st_size || is_text_symbol(elfw, record)) {
        symbol->st_size = text_size;
    }
}

void
mercury_make_sass_symbol(const struct elfw *elfw, const struct symbol_record *record,
                         Elf64_Sym *symbol)
{
    const struct section *section = elfw_section(elfw, elfw_symbol_section(elfw, record));

    if (symbol_type(record) == STT_SECTION) {
        if (elfw_sass_part(elfw, section)->name)
            symbol->st_name = elfw_sass_part(elfw, section)->symbol_name;
    } else if (symbol_function(record)) {
        finish_function(elfw, record, symbol, section->size);
    } else if (is_loader_object(record->name_str)) {
        symbol->st_value = elfw_loader_value(elfw, record->name_str);
    } else if (!elfw_flag(elfw, MERGE_RELOCATABLE)) {
        if (memory_space(record->st_other) == STO_CUDA_SHARED)
            symbol->st_value += elfw->arch->generation->reserved_shared; /* whatever the options */
        else if (section->type == SHT_CUDA_SHARED_RESERVED)
            symbol->st_value += elfw->arch->generation->reserved_offset;
    }
}

void
mercury_write_bank_symbols(const struct elfw *elfw, uint64_t from, uint8_t *at)
{
    for (uint32_t i = 0; i < elfw->parameter_banks.count; i++) {
        uint32_t bank = elfw->parameter_banks.at[i];
        const struct sass_part *part = elfw_sass_part(elfw, &elfw->sections.at[bank]);
        const Elf64_Sym symbol = {
            .st_name = part->symbol_name,
            .st_info = ELF64_ST_INFO(STB_LOCAL, STT_SECTION),
            .st_shndx = section_field(elfw->section_virtual[bank]),
        };

        memcpy(at + (part->tail_symbol * sizeof symbol - from), &symbol, sizeof symbol);
    }
}
