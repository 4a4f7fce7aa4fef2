#include "door/check.h"

#include "elfw/elfw.h"

#define REFUSE_SYMBOL(door, symbol, ...)                                                           \
    REFUSE_CONTENTS(door, (door)->view->symtab, (symbol) * sizeof(Elf64_Sym), __VA_ARGS__)

static const Elf64_Shdr *
section_of(const struct door *door, uint32_t symbol)
{
    uint32_t section = elf_symbol_section(door->view, symbol);

    return section && section < door->view->section_count ? &door->view->sections[section] : NULL;
}

/* What a file says of its sections in other sections and in symbols. */
enum section_fact {
    HAS_SYMBOL = 1,
    HAS_PARAMETERS = 2, /* it is the code of a kernel */
};

/* A section's symbol is called like it. */
static void
check_section_symbol(const struct door *door, uint32_t index, uint8_t *facts)
{
    const Elf64_Sym *symbol = &door->view->symbols[index];
    const char *name = elf_symbol_name(door->view, index);
    uint32_t section = elf_symbol_section(door->view, index);

    if (!section || section >= door->view->section_count || symbol->st_value || symbol->st_size ||
        symbol->st_other || strcmp(name, elf_section_name(door->view, section)) != 0)
        REFUSE_SYMBOL(door, index, "symbol %u is not that of a section", index);
    uint8_t *fact = &facts[section];
    if (*fact & HAS_SYMBOL)
        REFUSE_SYMBOL(door, index, "a second symbol of section '%s'", name);
    *fact |= HAS_SYMBOL;
}

/* The function that a text belongs to is all of it, and a kernel if it has a bank of parameters.
   Others have names of their own. */
static void
check_owner(const struct door *door, uint32_t index, const uint8_t *facts)
{
    const Elf64_Sym *symbol = &door->view->symbols[index];
    uint32_t text = elf_symbol_section(door->view, index);
    const Elf64_Shdr *section = &door->view->sections[text];
    uint32_t owner = elf_text_function(door->view, text);

    if (section->sh_type != SHT_PROGBITS)
        return;
    if (owner != index) {
        if (owner < door->view->symbol_count &&
            door->view->symbols[owner].st_name == symbol->st_name)
            REFUSE_SYMBOL(door, index, "a second symbol of '%s'",
                          elf_symbol_name(door->view, index));
        return;
    }
    if (symbol->st_value || symbol->st_size != section->sh_size)
        REFUSE_SYMBOL(door, index, "function '%s' is not all of its section",
                      elf_symbol_name(door->view, index));
    if (facts[text] & HAS_PARAMETERS && !(symbol->st_other & STO_CUDA_ENTRY))
        REFUSE_SYMBOL(door, index, "'%s' has parameters, but is no kernel",
                      elf_symbol_name(door->view, index));
}

static void
check_function_symbol(const struct door *door, uint32_t index, const uint8_t *facts)
{
    const Elf64_Sym *symbol = &door->view->symbols[index];
    const Elf64_Shdr *section = section_of(door, index);

    if (symbol->st_other & STO_CUDA_SPACE)
        REFUSE_SYMBOL(door, index, "function '%s' has flags 0x%x",
                      elf_symbol_name(door->view, index), symbol->st_other);
    if (!section &&
        (symbol->st_value || symbol->st_size || ELF64_ST_BIND(symbol->st_info) == STB_LOCAL))
        REFUSE_SYMBOL(door, index, "function '%s' has a place, but no code",
                      elf_symbol_name(door->view, index));
    if (section && (symbol->st_size > section->sh_size ||
                    symbol->st_value > section->sh_size - symbol->st_size))
        REFUSE_SYMBOL(door, index, "function '%s' lies outside of its section",
                      elf_symbol_name(door->view, index));
    if (section)
        check_owner(door, index, facts);
}

/* Each space has its sections. */
static bool
space_fits(unsigned space, uint32_t type)
{
    switch (space) {
    case STO_CUDA_GLOBAL:
        return type == SHT_CUDA_GLOBAL || type == SHT_CUDA_GLOBAL_INIT;
    case STO_CUDA_SHARED:
        return type == SHT_CUDA_SHARED;
    case STO_CUDA_CONSTANT:
        return is_constant_bank(type) || type == SHT_MERCURY_FUNCTION_CONSTANTS;
    case STO_CUDA_GLOBAL | STO_CUDA_CONSTANT:
        return type == SHT_CUDA_SHARED_RESERVED;
    case STO_CUDA_LOCAL:
        return type == SHT_CUDA_LOCAL;
    }
    return false;
}

static void
check_object_symbol(const struct door *door, uint32_t index)
{
    const Elf64_Sym *symbol = &door->view->symbols[index];
    const Elf64_Shdr *section = section_of(door, index);

    if (section && !space_fits(memory_space(symbol->st_other), section->sh_type))
        REFUSE_SYMBOL(door, index, "object '%s' is in a section of another memory",
                      elf_symbol_name(door->view, index));
    /* Shared variables have no place yet. */
    bool has_place = section && section->sh_type != SHT_CUDA_SHARED &&
                     section->sh_type != SHT_CUDA_SHARED_RESERVED;
    uint64_t end = has_place ? symbol->st_value + symbol->st_size : symbol->st_size;

    if (section && (end > section->sh_size || end < symbol->st_size))
        REFUSE_SYMBOL(door, index, "object '%s' lies outside of its section",
                      elf_symbol_name(door->view, index));
}

static void
check_binding(const struct door *door, uint32_t index)
{
    unsigned binding = ELF64_ST_BIND(door->view->symbols[index].st_info);
    bool is_section = ELF64_ST_TYPE(door->view->symbols[index].st_info) == STT_SECTION;

    if (binding > STB_WEAK || (is_section && binding != STB_LOCAL))
        REFUSE_SYMBOL(door, index, "symbol %u has binding %u", index, binding);
}

/* Textures, samplers and surfaces are bound by the driver. */
static void
check_image_symbol(const struct door *door, uint32_t index)
{
    const Elf64_Sym *symbol = &door->view->symbols[index];

    if (symbol->st_shndx != SHN_UNDEF || symbol->st_value || symbol->st_size)
        REFUSE_SYMBOL(door, index, "'%s' of type %u has a place",
                      elf_symbol_name(door->view, index), ELF64_ST_TYPE(symbol->st_info));
}

/* Plain objects with a size are those of the loader, which no file defines. */
static void
check_loader_object(const struct door *door, uint32_t index)
{
    const Elf64_Sym *symbol = &door->view->symbols[index];
    const char *name = elf_symbol_name(door->view, index);
    unsigned binding = ELF64_ST_BIND(symbol->st_info);

    if (memory_space(symbol->st_other))
        REFUSE_SYMBOL(door, index, "'%s' of type %u lies in memory", name, STT_OBJECT);
    bool is_defined = symbol->st_shndx != SHN_UNDEF;
    if (is_loader_object(name) ? is_defined || binding == STB_LOCAL
                               : !is_defined && binding != STB_LOCAL && symbol->st_size)
        REFUSE_SYMBOL(door, index, "'%s' is no object of the loader", name);
}

static void
check_first_symbol(const struct door *door)
{
    static const Elf64_Sym empty;

    if (door->view->symbol_count &&
        memcmp(&door->view->symbols[0], &empty, offsetof(Elf64_Sym, st_value)) != 0)
        REFUSE_SYMBOL(door, 0u, "the first symbol is not empty");
}

/* Labels and sections alone may have none. */
static void
check_name(const struct door *door, uint32_t index)
{
    unsigned type = ELF64_ST_TYPE(door->view->symbols[index].st_info);

    if (type != STT_NOTYPE && type != STT_SECTION && !*elf_symbol_name(door->view, index))
        REFUSE_SYMBOL(door, index, "symbol %u of type %u has no name", index, type);
}

static uint8_t *
section_facts(const struct door *door)
{
    const struct elf_view *view = door->view;
    uint8_t *facts = arena_array(door->arena, view->section_count, sizeof *facts);

    for (uint32_t i = 1; i < view->section_count; i++)
        if (view->sections[i].sh_type == SHT_CUDA_CONSTANT0)
            facts[view->sections[i].sh_info] |= HAS_PARAMETERS;
    return facts;
}

void
check_symbols(const struct door *door)
{
    uint8_t *facts = section_facts(door);

    check_first_symbol(door);
    for (uint32_t i = 1; i < door->view->symbol_count; i++) {
        check_binding(door, i);
        check_name(door, i);
        switch (ELF64_ST_TYPE(door->view->symbols[i].st_info)) {
        case STT_SECTION:
            check_section_symbol(door, i, facts);
            break;
        case STT_FUNC:
            check_function_symbol(door, i, facts);
            break;
        case STT_CUDA_OBJECT:
            check_object_symbol(door, i);
            break;
        case STT_OBJECT:
            check_loader_object(door, i);
            break;
        case STT_CUDA_TEXTURE:
        case STT_CUDA_SAMPLER:
        case STT_CUDA_SURFACE:
            check_image_symbol(door, i);
            break;
        case STT_NOTYPE:
            break;
        default:
            REFUSE_SYMBOL(door, i, "symbol %u has type %u", i,
                          ELF64_ST_TYPE(door->view->symbols[i].st_info));
        }
    }
}
