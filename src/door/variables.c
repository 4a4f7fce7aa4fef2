#include "door/symbols.h"

#include <stdio.h>

/* Each space has its sections. */
static bool
space_fits(unsigned space, uint32_t type)
{
    switch (space) {
    case STO_CUDA_GLOBAL:
        return type == SHT_CUDA_GLOBAL || type == SHT_CUDA_GLOBAL_INIT || type == SHT_CUDA_UDT;
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

/* What has no place yet says how it is aligned, unless it is defined elsewhere. */
static bool
has_odd_value(const struct door *door, uint32_t index)
{
    const Elf64_Sym *symbol = &door->view->symbols[index];
    uint32_t section = elf_symbol_section(door->view, index);
    unsigned space = memory_space(symbol->st_other);

    if (section == COMMON_SECTION)
        return !is_power_of_two(symbol->st_value);
    /* Whole programs have placed their open arrays, and may keep their symbols. */
    bool is_placed = space == STO_CUDA_SHARED && door->view->header.e_type == ET_CUDA_WHOLE_PROGRAM;
    if (section == SHN_UNDEF)
        return symbol->st_value && space && !is_placed &&
               ELF64_ST_BIND(symbol->st_info) != STB_LOCAL;
    /* Images alone are parameters without bytes. */
    const Elf64_Shdr *header = section_of(door, index);
    bool may_be_empty = header && header->sh_type == SHT_CUDA_CONSTANT0;
    return !is_placed && ((!symbol->st_size && !may_be_empty) ||
                          (space == STO_CUDA_SHARED && !is_power_of_two(symbol->st_value)));
}

/* Is it called after its owner, its begin and this end? */
static bool
has_name_of_place(const char *name, const char *owner, uint64_t begin, uint64_t end)
{
    char place[sizeof ".const_opt.." + 40]; /* two numbers of 64 bits */

    snprintf(place, sizeof place, ".const_opt.%llu.%llu", (unsigned long long)begin,
             (unsigned long long)end);
    return text_begins(name, owner) && !strcmp(name + strlen(owner), place);
}

/* A whole program's table of addresses of functions inside it is called after its owner alone. */
static bool
is_table_of_functions(const Elf64_Sym *symbol, const char *name, const char *owner)
{
    enum { ADDRESS_SIZE = 8 };
    static const char beginning[] = "$__funcAddrTab_c$";

    return text_begins(name, beginning) && !strcmp(name + sizeof beginning - 1, owner) &&
           symbol->st_value % ADDRESS_SIZE == 0 && symbol->st_size % ADDRESS_SIZE == 0;
}

/* Constants that compilers found for themselves say in their names whose they are, and where they begin
   and end; the symbol of half a word has all of it. */
static bool
names_its_place(const struct door *door, uint32_t index)
{
    enum { HALF_A_WORD = 2 };
    static const char bank[] = ".nv.constant2.";
    const Elf64_Sym *symbol = &door->view->symbols[index];
    const char *name = elf_symbol_name(door->view, index);
    const char *owner = elf_section_name(door->view, elf_symbol_section(door->view, index));
    uint64_t begin = symbol->st_value, end = begin + symbol->st_size;

    owner += sizeof bank - 1; /* check_sections saw the name */
    return has_name_of_place(name, owner, begin, end) ||
           (symbol->st_size == 2 * (uint64_t)HALF_A_WORD &&
            has_name_of_place(name, owner, begin, end - HALF_A_WORD)) ||
           is_table_of_functions(symbol, name, owner);
}

static void
check_object_name(const struct door *door, uint32_t index)
{
    const Elf64_Shdr *section = section_of(door, index);
    const char *name = elf_symbol_name(door->view, index);

    if (door->view->is_of_linker)
        return;
    if (*name == '.')
        REFUSE_SYMBOL(door, index, "an object with the name '%s'", name);
    if (section && section->sh_type == SHT_CUDA_CONSTANT2 && !names_its_place(door, index))
        REFUSE_SYMBOL(door, index, "constant '%s' is at 0x%llx, with 0x%llx bytes", name,
                      (unsigned long long)door->view->symbols[index].st_value,
                      (unsigned long long)door->view->symbols[index].st_size);
}

/* Variables in the memory of the system are compilers' own: they have a common beginning, and one of
   that size is there for a fault of one chip alone. */
static bool
is_reserved_name(const struct door *door, const char *name, uint64_t size)
{
    enum { FAULTY_CHIP = 110, SIZE_FOR_IT = 128 };
    static const char beginning[] = "__nv_reservedSMEM_";
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";

    if (strncmp(name, beginning, sizeof beginning - 1) != 0 || name[strspn(name, letters)])
        return false;
    return flags_sm(door->view->header.e_flags) != FAULTY_CHIP || size != SIZE_FOR_IT ||
           !strcmp(name + sizeof beginning - 1, "gb10b_war_var");
}

/* Variables of a file alone have a section; what belongs to a function is its own, unless it is shared
   memory that a whole program gave to a kernel (which may be weak), and its constants have all the same flags. */
static bool
has_odd_binding(const struct door *door, const Elf64_Sym *symbol, const Elf64_Shdr *section)
{
    bool is_local = ELF64_ST_BIND(symbol->st_info) == STB_LOCAL;

    if (!section)
        return is_local && !door->view->is_of_linker;
    if (section->sh_type == SHT_CUDA_SHARED && elf_may_have_slots(door->view))
        return is_owned(section) && ELF64_ST_BIND(symbol->st_info) == STB_GLOBAL;
    return is_owned(section) &&
           (!is_local || (is_constant_bank(section->sh_type) &&
                          symbol->st_other != (STO_CUDA_CONSTANT | STV_INTERNAL)));
}

/* Shared variables have no place yet. */
static bool
lies_outside(const Elf64_Sym *symbol, const Elf64_Shdr *section)
{
    bool has_place =
        section->sh_type != SHT_CUDA_SHARED && section->sh_type != SHT_CUDA_SHARED_RESERVED;
    uint64_t end = has_place ? symbol->st_value + symbol->st_size : symbol->st_size;

    return end > section->sh_size || end < symbol->st_size;
}

/* What programs share lies in a section of its own. */
static bool
is_odd_unified(const Elf64_Sym *symbol, const Elf64_Shdr *section)
{
    bool is_unified = symbol->st_other & STO_CUDA_UNIFIED;

    return is_unified != (section->sh_type == SHT_CUDA_UDT);
}

static void
check_object_section(const struct door *door, uint32_t index, const Elf64_Shdr *section)
{
    const Elf64_Sym *symbol = &door->view->symbols[index];
    const char *name = elf_symbol_name(door->view, index);

    if ((!space_fits(memory_space(symbol->st_other), section->sh_type) ||
         is_odd_unified(symbol, section)) &&
        !door->view->is_of_linker)
        REFUSE_SYMBOL(door, index, "object '%s' is in a section of another memory", name);
    if (section->sh_type == SHT_CUDA_SHARED_RESERVED &&
        !is_reserved_name(door, name, symbol->st_size))
        REFUSE_SYMBOL(door, index, "object '%s' is in the memory of the system", name);
    if (lies_outside(symbol, section) && !door->view->is_of_linker)
        REFUSE_SYMBOL(door, index, "object '%s' lies outside of its section", name);
}

static uint8_t
usual_flags(const struct door *door, const Elf64_Sym *symbol)
{
    bool is_whole = door->view->header.e_type == ET_CUDA_WHOLE_PROGRAM;

    switch (memory_space(symbol->st_other)) {
    case STO_CUDA_CONSTANT:
        return STV_INTERNAL;
    case STO_CUDA_SHARED:
        return is_whole ? STV_INTERNAL : 0;
    }
    return STO_CUDA_MANAGED | STO_CUDA_UNIFIED;
}

void
check_object_symbol(const struct door *door, uint32_t index)
{
    const Elf64_Sym *symbol = &door->view->symbols[index];
    const Elf64_Shdr *section = section_of(door, index);
    const char *name = elf_symbol_name(door->view, index);
    if (section)
        check_object_section(door, index, section);
    if (!memory_space(symbol->st_other) && !door->view->is_of_linker)
        REFUSE_SYMBOL(door, index, "object '%s' is in no memory", name);
    check_object_name(door, index);
    if (has_odd_value(door, index) && !door->view->is_of_linker)
        REFUSE_SYMBOL(door, index, "object '%s' has value 0x%llx and size 0x%llx", name,
                      (unsigned long long)symbol->st_value, (unsigned long long)symbol->st_size);
    if (has_odd_binding(door, symbol, section) ||
        has_odd_flags(door, index, usual_flags(door, symbol)))
        REFUSE_SYMBOL(door, index, "object '%s' has binding %u and flags 0x%x", name,
                      ELF64_ST_BIND(symbol->st_info), symbol->st_other);
}
