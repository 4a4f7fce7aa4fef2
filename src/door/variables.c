#include "door/symbols.h"

#include "elfw/elfw.h"

#include <stdio.h>

/* In names of constants, before where they begin and end. */
#define PLACE_IN_NAME ".const_opt."

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

/* Linkers leave shared variables their alignments until they have places; arrays of open size are seen by others, and
   what whole programs had is seen by nobody. */
static bool
is_odd_shared(const Elf64_Sym *symbol, const Elf64_Shdr *section)
{
    if (!section || section->sh_type != SHT_CUDA_SHARED)
        return false;
    if (!symbol->st_size)
        return ELF64_ST_BIND(symbol->st_info) == STB_LOCAL;
    return (symbol->st_other != STO_CUDA_SHARED &&
            symbol->st_other != (STO_CUDA_SHARED | STV_INTERNAL)) ||
           (symbol->st_value && !is_power_of_two(symbol->st_value));
}

/* Do these words end with a begin and this end? */
static bool
has_name_of_place(const char *words, uint64_t begin, uint64_t end)
{
    char place[sizeof PLACE_IN_NAME ".." + 40]; /* two numbers of 64 bits */

    snprintf(place, sizeof place, PLACE_IN_NAME "%llu.%llu", (unsigned long long)begin,
             (unsigned long long)end);
    return !strcmp(words, place);
}

/* Those of half a word have all of it. */
static bool
says_place(const char *words, const Elf64_Sym *symbol)
{
    enum { HALF_A_WORD = 2 };
    uint64_t begin = symbol->st_value, end = begin + symbol->st_size;

    return has_name_of_place(words, begin, end) ||
           (symbol->st_size == 2 * (uint64_t)HALF_A_WORD &&
            has_name_of_place(words, begin, end - HALF_A_WORD));
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
   and end. A linker may give them to another function, but leaves them where they are; it has tables of its own. */
static bool
names_its_place(const struct door *door, uint32_t index)
{
    static const char bank[] = ".nv.constant2.";
    const Elf64_Sym *symbol = &door->view->symbols[index];
    const char *name = elf_symbol_name(door->view, index);
    const char *owner = elf_section_name(door->view, elf_symbol_section(door->view, index));

    owner += sizeof bank - 1; /* check_sections saw the name */
    if (door->view->is_of_linker) {
        const char *words = strstr(name, PLACE_IN_NAME);
        return words ? says_place(words, symbol)
                     : *name == '.' || is_table_of_functions(symbol, name, owner);
    }
    return (text_begins(name, owner) && says_place(name + strlen(owner), symbol)) ||
           is_table_of_functions(symbol, name, owner);
}

/* Linkers name tables of constants so, and what the loader knows. */
static bool
may_begin_with_dot(const struct elf_view *view, const Elf64_Shdr *section, const char *name)
{
    if (!view->is_of_linker)
        return false;
    return section ? section->sh_type == SHT_CUDA_CONSTANT2
                   : is_loader_object(name) || !strcmp(name, CONSTANT_BANK_SIZE) ||
                         text_begins(name, ".nv.constant.optimizer.");
}

static void
check_object_name(const struct door *door, uint32_t index)
{
    const Elf64_Shdr *section = section_of(door, index);
    const char *name = elf_symbol_name(door->view, index);

    if (*name == '.' && !may_begin_with_dot(door->view, section, name))
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

/* A relocatable link leaves constants and shared variables of whole programs without one. */
static bool
may_lose_its_section(const struct elf_view *view, unsigned space)
{
    return view->is_of_linker && (!space || space == STO_CUDA_CONSTANT || space == STO_CUDA_SHARED);
}

/* Variables of a file alone have a section; what belongs to a function is its own, unless it is shared
   memory that a whole program gave to a kernel (which may be weak), and its constants have all the same flags. */
static bool
has_odd_binding(const struct door *door, const Elf64_Sym *symbol, const Elf64_Shdr *section)
{
    bool is_local = ELF64_ST_BIND(symbol->st_info) == STB_LOCAL;
    unsigned space = memory_space(symbol->st_other);

    if (!section)
        return is_local && !may_lose_its_section(door->view, space);
    if (section->sh_type == SHT_CUDA_SHARED && elf_may_have_slots(door->view))
        return is_owned(section) && ELF64_ST_BIND(symbol->st_info) == STB_GLOBAL;
    return is_owned(section) &&
           (!is_local || (is_constant_bank(section->sh_type) &&
                          symbol->st_other != (STO_CUDA_CONSTANT | STV_INTERNAL)));
}

/* Shared variables have no place yet. Constants that a linker left of a function which lost stay where
   they were, in a bank that may be shorter. */
static bool
lies_outside(const struct door *door, const Elf64_Sym *symbol, const Elf64_Shdr *section)
{
    bool has_place = section->sh_type != SHT_CUDA_SHARED &&
                     section->sh_type != SHT_CUDA_SHARED_RESERVED &&
                     !(section->sh_type == SHT_CUDA_CONSTANT2 && door->view->is_of_linker);
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

    unsigned space = memory_space(symbol->st_other);
    bool may_have_none = section->sh_type == SHT_PROGBITS && door->view->is_of_linker;
    if (((space || !may_have_none) && !space_fits(space, section->sh_type)) ||
        is_odd_unified(symbol, section))
        REFUSE_SYMBOL(door, index, "object '%s' is in a section of another memory", name);
    if (section->sh_type == SHT_CUDA_SHARED_RESERVED &&
        !is_reserved_name(door, name, symbol->st_size))
        REFUSE_SYMBOL(door, index, "object '%s' is in the memory of the system", name);
    if (lies_outside(door, symbol, section))
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
    if (door->view->is_of_linker ? is_odd_shared(symbol, section) : has_odd_value(door, index))
        REFUSE_SYMBOL(door, index, "object '%s' has value 0x%llx and size 0x%llx", name,
                      (unsigned long long)symbol->st_value, (unsigned long long)symbol->st_size);
    if (has_odd_binding(door, symbol, section) ||
        has_odd_flags(door, index, usual_flags(door, symbol)))
        REFUSE_SYMBOL(door, index, "object '%s' has binding %u and flags 0x%x", name,
                      ELF64_ST_BIND(symbol->st_info), symbol->st_other);
}
