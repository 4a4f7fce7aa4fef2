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

/* A section's symbol is called like it. */
static void
check_section_symbol(const struct door *door, uint32_t index)
{
    const Elf64_Sym *symbol = &door->view->symbols[index];
    const char *name = elf_symbol_name(door->view, index);

    if (!section_of(door, index) || symbol->st_value || symbol->st_size || symbol->st_other ||
        strcmp(name, elf_section_name(door->view, elf_symbol_section(door->view, index))) != 0)
        REFUSE_SYMBOL(door, index, "symbol %u is not that of a section", index);
}

static void
check_function_symbol(const struct door *door, uint32_t index)
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
    if (section && symbol->st_size > section->sh_size)
        REFUSE_SYMBOL(door, index, "object '%s' is larger than its section",
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

    if (symbol->st_shndx != SHN_UNDEF)
        REFUSE_SYMBOL(door, index, "'%s' of type %u has a section",
                      elf_symbol_name(door->view, index), ELF64_ST_TYPE(symbol->st_info));
}

/* Plain objects with a size are those of the loader, which no file defines. */
static void
check_loader_object(const struct door *door, uint32_t index)
{
    const Elf64_Sym *symbol = &door->view->symbols[index];
    const char *name = elf_symbol_name(door->view, index);
    unsigned binding = ELF64_ST_BIND(symbol->st_info);

    if (symbol->st_shndx != SHN_UNDEF)
        return;
    if (is_loader_object(name) ? binding == STB_LOCAL : binding != STB_LOCAL && symbol->st_size)
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

void
check_symbols(const struct door *door)
{
    check_first_symbol(door);
    for (uint32_t i = 1; i < door->view->symbol_count; i++) {
        check_binding(door, i);
        switch (ELF64_ST_TYPE(door->view->symbols[i].st_info)) {
        case STT_SECTION:
            check_section_symbol(door, i);
            break;
        case STT_FUNC:
            check_function_symbol(door, i);
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
