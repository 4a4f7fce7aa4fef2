/*
 * symbols.h: what the checks of functions and of variables have in common.
 */
#ifndef CULD_DOOR_SYMBOLS_H
#define CULD_DOOR_SYMBOLS_H

#include "door/check.h"

#define REFUSE_SYMBOL(door, symbol, ...)                                                           \
    REFUSE_CONTENTS(door, (door)->view->symtab, (symbol) * sizeof(Elf64_Sym), __VA_ARGS__)

/* Is it a section of one function? */
static inline bool
is_owned(const Elf64_Shdr *section)
{
    return section->sh_type == SHT_CUDA_CONSTANT0 || section->sh_type == SHT_CUDA_CONSTANT2 ||
           (section->sh_type == SHT_CUDA_SHARED && section->sh_info);
}

/* NULL: it is in none. */
static inline const Elf64_Shdr *
section_of(const struct door *door, uint32_t symbol)
{
    uint32_t section = elf_symbol_section(door->view, symbol);

    return section && section < door->view->section_count ? &door->view->sections[section] : NULL;
}

/* Flags that no compiler gives to what it keeps for itself, nor to what it does not define, nor to
   shared variables. */
static inline bool
has_odd_flags(const struct door *door, uint32_t index, uint8_t usual)
{
    const Elf64_Sym *symbol = &door->view->symbols[index];
    bool is_own = ELF64_ST_BIND(symbol->st_info) == STB_LOCAL || symbol->st_shndx == SHN_UNDEF ||
                  memory_space(symbol->st_other) == STO_CUDA_SHARED;

    return is_own && symbol->st_other & ~usual & ~STO_CUDA_SPACE && !door->view->is_of_linker;
}

void check_object_symbol(const struct door *door, uint32_t index);

#endif
