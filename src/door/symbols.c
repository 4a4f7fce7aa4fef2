#include "door/symbols.h"

#include "arch/arch.h"
#include "elfw/elfw.h"

#include <limits.h>

/* What a file says of its sections in other sections and in symbols. */
enum section_fact {
    HAS_SYMBOL = 1,
    HAS_PARAMETERS = 2,   /* it is the code of a kernel */
    HAS_UNIFIED_CODE = 4, /* of the first one: there is code that other programs share */
};

/* Prototypes stand among the names, and begin with it. */
enum { PROTOTYPE_SIGN = '#' };

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

/* Another function of a text has a name of its own; in a kernel it is a part, whose name says so. */
static void
check_second(const struct door *door, uint32_t index, uint32_t owner)
{
    const struct elf_view *view = door->view;
    const char *name = elf_symbol_name(view, index);

    if (owner >= view->symbol_count)
        return;
    if (view->symbols[owner].st_name == view->symbols[index].st_name)
        REFUSE_SYMBOL(door, index, "a second symbol of '%s'", name);
    /* A second name of a function inside a kernel has no size. */
    if (!view->symbols[index].st_size && view->symbols[index].st_value &&
        view->header.e_type != ET_CUDA_WHOLE_PROGRAM && !view->is_of_linker)
        REFUSE_SYMBOL(door, index, "'%s' has a place of its own, but no code", name);
    if (((view->symbols[owner].st_other & STO_CUDA_ENTRY && *name != '$') ||
         view->symbols[index].st_other & STO_CUDA_ENTRY) &&
        !view->is_of_linker)
        REFUSE_SYMBOL(door, index, "function '%s' is in the code of a kernel", name);
}

/* The function that a text belongs to is all of it, and a kernel if it has a bank of parameters. */
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
        check_second(door, index, owner);
        return;
    }
    if (symbol->st_value || symbol->st_size != section->sh_size)
        REFUSE_SYMBOL(door, index, "function '%s' is not all of its section",
                      elf_symbol_name(door->view, index));
    if (facts[text] & HAS_PARAMETERS && !(symbol->st_other & STO_CUDA_ENTRY))
        REFUSE_SYMBOL(door, index, "'%s' has parameters, but is no kernel",
                      elf_symbol_name(door->view, index));
    if (!(facts[text] & HAS_PARAMETERS) && symbol->st_other & STO_CUDA_ENTRY &&
        is_of_known_compiler(door->view))
        REFUSE_SYMBOL(door, index, "kernel '%s' has no bank of parameters",
                      elf_symbol_name(door->view, index));
}

static void
check_function_symbol(const struct door *door, uint32_t index, const uint8_t *facts)
{
    const Elf64_Sym *symbol = &door->view->symbols[index];
    const Elf64_Shdr *section = section_of(door, index);

    if (*elf_symbol_name(door->view, index) == '.')
        REFUSE_SYMBOL(door, index, "a function with the name '%s'",
                      elf_symbol_name(door->view, index));
    bool is_unified = symbol->st_other & STO_CUDA_MANAGED && !(*facts & HAS_UNIFIED_CODE);
    if (symbol->st_other & STO_CUDA_SPACE || is_unified ||
        has_odd_flags(door, index, STO_CUDA_ENTRY))
        REFUSE_SYMBOL(door, index, "function '%s' has flags 0x%x",
                      elf_symbol_name(door->view, index), symbol->st_other);
    if (!section &&
        (symbol->st_value || symbol->st_size || ELF64_ST_BIND(symbol->st_info) == STB_LOCAL))
        REFUSE_SYMBOL(door, index, "function '%s' has a place, but no code",
                      elf_symbol_name(door->view, index));
    if (section && (symbol->st_size > section->sh_size || symbol->st_value % 16 ||
                    symbol->st_value > section->sh_size - symbol->st_size))
        REFUSE_SYMBOL(door, index, "function '%s' lies outside of its section",
                      elf_symbol_name(door->view, index));
    if (section)
        check_owner(door, index, facts);
}

static void
check_binding(const struct door *door, uint32_t index)
{
    unsigned binding = ELF64_ST_BIND(door->view->symbols[index].st_info);
    bool is_section = ELF64_ST_TYPE(door->view->symbols[index].st_info) == STT_SECTION;

    if (binding > STB_WEAK || (is_section && binding != STB_LOCAL))
        REFUSE_SYMBOL(door, index, "symbol %u has binding %u", index, binding);
}

/* Textures, samplers and surfaces are bound by the driver. Where a kernel has one as a parameter, it is
   of the kernel's text; names with a dot are those of sections. */
static void
check_image_symbol(const struct door *door, uint32_t index)
{
    const Elf64_Sym *symbol = &door->view->symbols[index];
    const Elf64_Shdr *section = section_of(door, index);
    bool is_parameter =
        section && section->sh_flags & SHF_EXECINSTR && *elf_symbol_name(door->view, index) != '.';

    if ((symbol->st_shndx != SHN_UNDEF && !is_parameter) || symbol->st_value || symbol->st_size ||
        symbol->st_other ||
        ELF64_ST_BIND(symbol->st_info) != (is_parameter ? STB_LOCAL : STB_GLOBAL))
        REFUSE_SYMBOL(door, index, "'%s' of type %u has a place or flags",
                      elf_symbol_name(door->view, index), ELF64_ST_TYPE(symbol->st_info));
}

/* The loader knows the values; a file may say them. */
static bool
is_loader_value(const struct elf_view *view, const char *name, uint64_t value)
{
    const struct generation *generation = arch_generation(flags_sm(view->header.e_flags));

    if (!value || !generation)
        return !value;
    return (value == generation->reserved_shared && !strcmp(name, RESERVED_CAPACITY)) ||
           (value == generation->reserved_offset && !strcmp(name, RESERVED_OFFSET));
}

/* Plain objects with a size are those of the loader, which no file defines. The size of the
   constants is the only one that a file keeps to itself. */
static void
check_loader_object(const struct door *door, uint32_t index)
{
    const Elf64_Sym *symbol = &door->view->symbols[index];
    const char *name = elf_symbol_name(door->view, index);
    unsigned binding = ELF64_ST_BIND(symbol->st_info);

    if (binding == STB_LOCAL ? memory_space(symbol->st_other) : symbol->st_other)
        REFUSE_SYMBOL(door, index, "'%s' of type %u has flags 0x%x", name, STT_OBJECT,
                      symbol->st_other);
    bool is_defined = symbol->st_shndx != SHN_UNDEF;
    if (is_loader_object(name) ? is_defined || binding == STB_LOCAL
                               : !is_defined && binding != STB_LOCAL && symbol->st_size)
        REFUSE_SYMBOL(door, index, "'%s' is no object of the loader", name);
    if (is_loader_object(name) ? !is_loader_value(door->view, name, symbol->st_value)
                               : binding == STB_LOCAL && strcmp(name, CONSTANT_BANK_SIZE) != 0)
        REFUSE_SYMBOL(door, index, "object '%s' has value 0x%llx", name,
                      (unsigned long long)symbol->st_value);
}

/* What debug information names but the file has not is an undefined label: other compilers call
   strings `.str`. Names of the system and of sections are not among these. */
static bool
may_begin_with_a_dot(const struct door *door, uint32_t index)
{
    const Elf64_Sym *symbol = &door->view->symbols[index];

    return symbol->st_shndx == SHN_UNDEF && ELF64_ST_BIND(symbol->st_info) == STB_LOCAL &&
           strncmp(elf_symbol_name(door->view, index), ".nv.", strlen(".nv.")) != 0;
}

/* Those without a name are of the compiler, and say so; a file's own are nowhere. */
static void
check_label(const struct door *door, uint32_t index)
{
    const Elf64_Sym *symbol = &door->view->symbols[index];
    const char *name = elf_symbol_name(door->view, index);
    bool is_known = door->view->is_of_known_release;

    if (*name == '.' && !may_begin_with_a_dot(door, index))
        REFUSE_SYMBOL(door, index, "a label with the name '%s'", name);
    if (!*name && !symbol->st_other && is_known)
        REFUSE_SYMBOL(door, index, "symbol %u is empty", index);
    if (ELF64_ST_BIND(symbol->st_info) == STB_LOCAL && symbol->st_shndx != SHN_UNDEF && is_known)
        REFUSE_SYMBOL(door, index, "label '%s' has a place", name);
}

static void
check_first_symbol(const struct door *door)
{
    static const Elf64_Sym empty;

    if (door->view->symbol_count &&
        memcmp(&door->view->symbols[0], &empty, offsetof(Elf64_Sym, st_value)) != 0)
        REFUSE_SYMBOL(door, 0u, "the first symbol is not empty");
}

/* Functions and variables that a file keeps to itself stand before those that others see. */
static void
check_place(const struct door *door, uint32_t index)
{
    const Elf64_Sym *symbol = &door->view->symbols[index];
    unsigned type = ELF64_ST_TYPE(symbol->st_info);

    if (ELF64_ST_BIND(symbol->st_info) == STB_LOCAL &&
        (type == STT_FUNC || type == STT_CUDA_OBJECT) &&
        index >= door->view->sections[door->view->symtab].sh_info)
        REFUSE_SYMBOL(door, index, "symbol %u is local, behind those that are not", index);
}

/* Names are strings of the table, and no end of one. Labels and sections alone may have none. */
static void
check_name(const struct door *door, uint32_t index)
{
    const Elf64_Sym *symbol = &door->view->symbols[index];
    unsigned type = ELF64_ST_TYPE(symbol->st_info);
    const char *name = elf_symbol_name(door->view, index);

    if ((type != STT_NOTYPE && type != STT_SECTION && !*name) || (symbol->st_name && name[-1]))
        REFUSE_SYMBOL(door, index, "symbol %u of type %u has no name", index, type);
    if (*name == PROTOTYPE_SIGN)
        REFUSE_SYMBOL(door, index, "symbol %u has the name of a prototype", index);
}

/* What other files can see is there once; the tool's own arrays may be there for each kernel. Constants of
   functions have their places in their names. */
static bool
is_single(const struct door *door, uint32_t index)
{
    const Elf64_Sym *symbol = &door->view->symbols[index];
    const Elf64_Shdr *section = section_of(door, index);

    if (ELF64_ST_BIND(symbol->st_info) == STB_LOCAL)
        return !door->view->is_of_linker && section && section->sh_type == SHT_CUDA_CONSTANT2 &&
               ELF64_ST_TYPE(symbol->st_info) == STT_CUDA_OBJECT;
    return ELF64_ST_VISIBILITY(symbol->st_other) != STV_INTERNAL;
}

static void
check_unique(const struct door *door, uint32_t index, uint8_t *seen)
{
    const Elf64_Sym *symbol = &door->view->symbols[index];
    uint8_t *byte = &seen[symbol->st_name / CHAR_BIT];
    uint8_t bit = (uint8_t)(1 << symbol->st_name % CHAR_BIT);

    if (!is_single(door, index))
        return;
    if (*byte & bit)
        REFUSE_SYMBOL(door, index, "a second symbol of '%s'", elf_symbol_name(door->view, index));
    *byte |= bit;
}

static uint8_t *
section_facts(const struct door *door)
{
    const struct elf_view *view = door->view;
    uint8_t *facts = arena_array(door->arena, view->section_count, sizeof *facts);

    for (uint32_t i = 1; i < view->section_count; i++)
        if (view->sections[i].sh_type == SHT_CUDA_CONSTANT0)
            facts[view->sections[i].sh_info] |= HAS_PARAMETERS;
        else if (view->sections[i].sh_type == SHT_CUDA_UFT)
            facts[0] |= HAS_UNIFIED_CODE;
    return facts;
}

/* Where a byte is that no name has: compilers take letters, digits and some signs. SIZE_MAX: nowhere. */
static size_t
find_odd_byte(struct bytes strings)
{
    const uint64_t each = 0x0101010101010101u; /* times a value: it in all bytes */
    uint64_t odd = 0;
    size_t at = 0;

    /* Of a byte that is 0 neither sum reaches the last bit, of a sign that can be seen both do. */
    for (; at + sizeof odd <= strings.size; at += sizeof odd) {
        uint64_t word = read_u64(strings.at + at);
        odd |= word | ((word + 0x7f * each) & ~(word + 0x5f * each));
    }
    for (at = odd & 0x80 * each ? 0 : at; at < strings.size; at++)
        if (strings.at[at] > '~' || (strings.at[at] && strings.at[at] <= ' '))
            return at;
    return SIZE_MAX;
}

static void
check_strings(const struct door *door, const char *table, struct bytes strings)
{
    size_t odd = find_odd_byte(strings);

    if (odd != SIZE_MAX)
        diag_damaged(door->arena->diag, door->view->file_name, table,
                     (uint64_t)(strings.at - door->view->file.at) + odd,
                     "a name with a byte that no name has");
}

/* Shared memory of compilers has a symbol where it has a size: one of none stands for arrays of open size. */
static void
check_shared(const struct door *door, const uint8_t *facts)
{
    const struct elf_view *view = door->view;

    for (uint32_t i = 1; i < view->section_count && is_of_known_compiler(view); i++) {
        const Elf64_Shdr *section = &view->sections[i];
        if (section->sh_type == SHT_CUDA_SHARED && !section->sh_size != !(facts[i] & HAS_SYMBOL))
            REFUSE_SECTION(door, i, "0x%llx bytes of shared memory %s a symbol",
                           (unsigned long long)section->sh_size,
                           facts[i] & HAS_SYMBOL ? "with" : "without");
    }
}

void
check_symbols(const struct door *door)
{
    uint8_t *facts = section_facts(door);
    uint8_t *seen = arena_array(door->arena, door->view->strings.size / CHAR_BIT + 1, sizeof *seen);

    check_strings(door, ".shstrtab", door->view->section_names);
    check_strings(door, ".strtab", door->view->strings);
    check_first_symbol(door);
    for (uint32_t i = 1; i < door->view->symbol_count; i++) {
        check_binding(door, i);
        check_place(door, i);
        check_name(door, i);
        check_unique(door, i, seen);
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
            check_label(door, i);
            break;
        default:
            REFUSE_SYMBOL(door, i, "symbol %u has type %u", i,
                          ELF64_ST_TYPE(door->view->symbols[i].st_info));
        }
    }
    check_shared(door, facts);
}
