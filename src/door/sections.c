#include "door/check.h"

#include "arch/arch.h"

/* What sh_link names. */
enum link { LINK_NONE, LINK_SYMTAB, LINK_MERCURY_SYMTAB, LINK_STRINGS, LINK_TOOL };

/* What sh_info names. */
enum info {
    INFO_NONE,
    INFO_ANY,
    INFO_FUNCTION, /* the symbol whose code this is */
    INFO_CODE,     /* the text of the function that stands in the section's name */
    INFO_TARGET,   /* the section that stands in the name */
    INFO_STUB,     /* the symbol of the code that leads to the unified function in the name */
};

struct rule {
    const char *name; /* ends in '.' where a name of the program follows */
    uint8_t length;   /* of the name */
    uint32_t type;
    uint64_t flags;
    uint8_t entsize; /* ANY_SIZE: it does not say */
    uint8_t align;   /* ANY_ALIGN: a power of two */
    uint8_t link, info;
};

enum { ANY_ALIGN = 0, WORD = 4, LONG = 8, CAPSULE = 16, CODE = 128 };

enum { ANY_SIZE = 255 };

#define NAMED(name) name, sizeof(name) - 1
#define MERCURY SHF_CUDA_MERCURY
#define DATA (SHF_WRITE | SHF_ALLOC)

/* By names alone the first that fits counts. Those of most files come first, in the order that their
   sections have. */
static const struct rule rules[] = {
    {NAMED(".shstrtab"), SHT_STRTAB, 0, 0, 1, LINK_NONE, INFO_NONE},
    {NAMED(".strtab"), SHT_STRTAB, 0, 0, 1, LINK_NONE, INFO_NONE},
    {NAMED(".symtab"), SHT_SYMTAB, 0, sizeof(Elf64_Sym), LONG, LINK_STRINGS, INFO_ANY},
    {NAMED(".debug_frame"), SHT_PROGBITS, 0, 0, ANY_ALIGN, LINK_NONE, INFO_NONE},
    {NAMED(".note.nv.tkinfo"), SHT_NOTE, SHF_CUDA_TKINFO, 0, WORD, LINK_NONE, INFO_NONE},
    {NAMED(".note.nv.cuinfo"), SHT_NOTE, SHF_CUDA_CUINFO, 0, WORD, LINK_TOOL, INFO_ANY},
    {NAMED(".nv.info"), SHT_CUDA_INFO, 0, 0, WORD, LINK_SYMTAB, INFO_NONE},
    {NAMED(".nv.compat"), SHT_CUDA_COMPAT, 0, 0, WORD, LINK_NONE, INFO_NONE},
    {NAMED(".nv.info."), SHT_CUDA_INFO, SHF_INFO_LINK, 0, WORD, LINK_SYMTAB, INFO_CODE},
    {NAMED(".nv.callgraph"), SHT_CUDA_CALLGRAPH, 0, 8, WORD, LINK_SYMTAB, INFO_NONE},
    {NAMED(".nv.prototype"), SHT_CUDA_PROTOTYPE, 0, 8, WORD, LINK_SYMTAB, INFO_NONE},
    {NAMED(".rela."), SHT_RELA, SHF_INFO_LINK, sizeof(Elf64_Rela), ANY_ALIGN, LINK_SYMTAB,
     INFO_TARGET},
    {NAMED(".rel."), SHT_REL, SHF_INFO_LINK, sizeof(Elf64_Rel), ANY_ALIGN, LINK_SYMTAB,
     INFO_TARGET},
    {NAMED(".text."), SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, 0, CODE, LINK_SYMTAB, INFO_FUNCTION},
    {NAMED(".nv.constant0."), SHT_CUDA_CONSTANT0, SHF_ALLOC | SHF_INFO_LINK, 0, WORD, LINK_NONE,
     INFO_CODE},
    {NAMED(".nv.constant2."), SHT_CUDA_CONSTANT2, SHF_ALLOC | SHF_INFO_LINK, 0, ANY_ALIGN,
     LINK_NONE, INFO_CODE},
    {NAMED(".nv.constant3"), SHT_CUDA_CONSTANT3, SHF_ALLOC, 0, ANY_ALIGN, LINK_NONE, INFO_NONE},
    {NAMED(".nv.constant4"), SHT_CUDA_CONSTANT4, SHF_ALLOC, 0, ANY_ALIGN, LINK_NONE, INFO_NONE},
    {NAMED(".nv.shared.reserved.0"), SHT_CUDA_SHARED_RESERVED, DATA, 0, ANY_ALIGN, LINK_NONE,
     INFO_NONE},
    {NAMED(".nv.shared."), SHT_CUDA_SHARED, DATA | SHF_INFO_LINK, 0, ANY_ALIGN, LINK_NONE,
     INFO_CODE},
    {NAMED(".nv_debug.shared"), SHT_CUDA_SHARED, DATA, 0, ANY_ALIGN, LINK_NONE, INFO_NONE},
    {NAMED(".nv.global"), SHT_CUDA_GLOBAL, DATA, 0, ANY_ALIGN, LINK_NONE, INFO_NONE},
    {NAMED(".nv.global.init"), SHT_CUDA_GLOBAL_INIT, DATA, 0, ANY_ALIGN, LINK_NONE, INFO_NONE},
    {NAMED(".debug_line"), SHT_PROGBITS, 0, 0, ANY_ALIGN, LINK_NONE, INFO_NONE},
    {NAMED(".nv_debug_line_sass"), SHT_PROGBITS, 0, 0, ANY_ALIGN, LINK_NONE, INFO_NONE},
    {NAMED(".nv_debug_info_reg_sass"), SHT_PROGBITS, 0, 0, ANY_ALIGN, LINK_NONE, INFO_NONE},
    {NAMED(".nv_debug_info_reg_type"), SHT_PROGBITS, 0, 0, ANY_ALIGN, LINK_NONE, INFO_NONE},
    {NAMED(".nv.uft.entry"), SHT_CUDA_UFT_ENTRY, 0, UNIFIED_ENTRY, LONG, LINK_SYMTAB, INFO_NONE},
    {NAMED(".nv.udt.entry"), SHT_CUDA_UDT_ENTRY, 0, UNIFIED_ENTRY, LONG, LINK_SYMTAB, INFO_NONE},
    {NAMED(".nv.uft.rel."), SHT_CUDA_UFT, SHF_ALLOC | SHF_EXECINSTR, CODE, CODE, LINK_SYMTAB,
     INFO_STUB},
    {NAMED(".nv.udt"), SHT_CUDA_UDT, DATA, 0, ANY_ALIGN, LINK_NONE, INFO_NONE},
};

/* Those whose names say that they are of mercury. */
static const struct rule mercury_rules[] = {
    {NAMED(".nv.capmerc."), SHT_CUDA_CAPSULE, MERCURY, ANY_SIZE, CAPSULE, LINK_MERCURY_SYMTAB,
     INFO_ANY},
    {NAMED(".nv.merc.nv.info"), SHT_MERCURY_INFO, MERCURY, 0, WORD, LINK_MERCURY_SYMTAB, INFO_NONE},
    {NAMED(".nv.merc.nv.info."), SHT_MERCURY_INFO, MERCURY | SHF_INFO_LINK, 0, WORD,
     LINK_MERCURY_SYMTAB, INFO_CODE},
    {NAMED(".nv.merc.rela."), SHT_MERCURY_RELA, MERCURY | SHF_INFO_LINK, sizeof(Elf64_Rela),
     ANY_ALIGN, LINK_MERCURY_SYMTAB, INFO_TARGET},
    {NAMED(".nv.merc.symtab"), SHT_MERCURY_SYMTAB, MERCURY, sizeof(Elf64_Sym), LONG, LINK_STRINGS,
     INFO_ANY},
    {NAMED(".nv.merc.debug_frame"), SHT_PROGBITS, MERCURY, 0, ANY_ALIGN, LINK_NONE, INFO_NONE},
    {NAMED(".nv.merc.debug_line"), SHT_PROGBITS, MERCURY, 0, ANY_ALIGN, LINK_NONE, INFO_NONE},
    {NAMED(".nv.merc.nv_debug_line_sass"), SHT_PROGBITS, MERCURY, 0, ANY_ALIGN, LINK_NONE,
     INFO_NONE},
    {NAMED(".nv.merc.nv_debug_info_reg_sass"), SHT_PROGBITS, MERCURY, 0, ANY_ALIGN, LINK_NONE,
     INFO_NONE},
    {NAMED(".nv.merc.nv_debug_info_reg_type"), SHT_PROGBITS, MERCURY, 0, ANY_ALIGN, LINK_NONE,
     INFO_NONE},
    {NAMED(".nv.merc.nv.constant.user"), SHT_MERCURY_USER_CONSTANTS, MERCURY | SHF_ALLOC, 0,
     ANY_ALIGN, LINK_NONE, INFO_NONE},
    {NAMED(".nv.merc.nv.constant.pic"), SHT_MERCURY_ADDRESSES, MERCURY | SHF_ALLOC, 0, ANY_ALIGN,
     LINK_NONE, INFO_NONE},
    {NAMED(".nv.merc.nv.constant.optimizer."), SHT_MERCURY_FUNCTION_CONSTANTS,
     MERCURY | SHF_ALLOC | SHF_INFO_LINK, 0, ANY_ALIGN, LINK_NONE, INFO_CODE},
    {NAMED(".nv.merc.nv.constant.entry_image_header_indices."), SHT_MERCURY_IMAGE_SLOTS,
     MERCURY | SHF_ALLOC | SHF_INFO_LINK, 0, WORD, LINK_NONE, INFO_CODE},
    {NAMED(".nv.merc.nv.global.init"), SHT_CUDA_GLOBAL_INIT, MERCURY | DATA, 0, ANY_ALIGN,
     LINK_NONE, INFO_NONE},
    {NAMED(".nv.merc.nv.uft.entry"), SHT_CUDA_UFT_ENTRY, MERCURY, UNIFIED_ENTRY, LONG,
     LINK_MERCURY_SYMTAB, INFO_NONE},
    {NAMED(".nv.merc.nv.udt.entry"), SHT_CUDA_UDT_ENTRY, MERCURY, UNIFIED_ENTRY, LONG,
     LINK_MERCURY_SYMTAB, INFO_NONE},
    {NAMED(".nv.merc.nv.udt"), SHT_CUDA_UDT, MERCURY | DATA, 0, ANY_ALIGN, LINK_NONE, INFO_NONE},
    {NAMED(".nv.merc.nv.shared.reserved.0"), SHT_CUDA_SHARED_RESERVED, MERCURY | DATA, 0, ANY_ALIGN,
     LINK_NONE, INFO_NONE},
};

struct rule_list {
    const struct rule *at;
    size_t count;
};

static const struct rule_list lists[] = {
    {rules, COUNT_OF(rules)},
    {mercury_rules, COUNT_OF(mercury_rules)},
};

/* ---- which rule is it? ---- */

static bool
is_open(const struct rule *rule)
{
    return rule->name[rule->length - 1] == '.';
}

/* The last byte tells most names from those that fit. */
static bool
name_fits(const struct rule *rule, const char *name, size_t length)
{
    size_t compared = rule->length;

    return (is_open(rule) ? length >= compared : length == compared) &&
           name[compared - 1] == rule->name[compared - 1] && !memcmp(name, rule->name, compared);
}

/* The name without what a table of relocations or a view puts in front of it. */
static const char *
bare_name(const char *name)
{
    static const char *const prefixes[] = {".nv.capmerc", ".nv.merc"};

    if (name[0] == '.' && name[1] != 'n') /* most names */
        return name;
    for (size_t i = 0; i < COUNT_OF(prefixes); i++)
        if (!strncmp(name, prefixes[i], strlen(prefixes[i])) && name[strlen(prefixes[i])] == '.')
            return name + strlen(prefixes[i]);
    return name;
}

/* Names are compared last, for there are many sections. */
static bool
all_fits(const struct rule *rule, const Elf64_Shdr *header, const char *name, size_t length)
{
    return rule->type == header->sh_type && rule->flags == header->sh_flags &&
           name_fits(rule, name, length);
}

/* Where to look first: behind that of the section before. */
static size_t
next_rule(const struct rule_list *list, const struct rule *before)
{
    bool is_of_list = before && list == &lists[(before->flags & SHF_CUDA_MERCURY) != 0];
    size_t next = is_of_list ? (size_t)(before - list->at) + 1 : 0;

    return next < list->count ? next : 0;
}

/* NULL: it may be called as it likes. As a rule it is that of the last section before it that has one, or
   the next. */
static const struct rule *
find_rule(const struct door *door, uint32_t section, const struct rule *before)
{
    const Elf64_Shdr *header = &door->view->sections[section];
    const char *name = elf_section_name(door->view, section);
    size_t length = strlen(name);
    const struct rule_list *list = &lists[(header->sh_flags & SHF_CUDA_MERCURY) != 0];

    if (before && all_fits(before, header, name, length))
        return before;
    size_t next = next_rule(list, before);
    for (size_t i = 0; i < list->count; i++, next = next + 1 < list->count ? next + 1 : 0)
        if (all_fits(&list->at[next], header, name, length)) /* no other does, too */
            return &list->at[next];
    list = &lists[bare_name(name) != name];
    for (size_t i = 0; i < list->count; i++)
        if (name_fits(&list->at[i], name, length))
            return &list->at[i];
    return NULL;
}

static bool
is_for_debuggers(const char *name)
{
    return text_begins(name, ".debug_") || text_begins(name, ".nv_debug_");
}

enum { RULES = COUNT_OF(rules) + COUNT_OF(mercury_rules) };

static size_t
rule_number(const struct rule *rule)
{
    bool is_of_mercury = rule->flags & SHF_CUDA_MERCURY;

    return is_of_mercury ? COUNT_OF(rules) + (size_t)(rule - mercury_rules)
                         : (size_t)(rule - rules);
}

/* Does the view have the last of the sections for debuggers that the compiler itself makes? */
static bool
has_types_of_registers(const bool *seen, bool is_of_mercury)
{
    static const char name[] = ".nv_debug_info_reg_type";
    const struct rule_list *list = &lists[is_of_mercury];

    for (size_t i = 0; i < list->count; i++)
        if (!strcmp(bare_name(list->at[i].name), name))
            return seen[rule_number(&list->at[i])];
    return false;
}

/* PTX may have sections of any name. Among those that are NVIDIA's own they come last; before them only
   texts have no rule. */
static bool
is_name_of_user(const char *name, const bool *seen)
{
    const char *bare = bare_name(name);

    return !text_begins(bare, ".nv_debug_") || text_begins(bare, ".nv_debug_ptx_txt") ||
           has_types_of_registers(seen, bare != name);
}

/* Sections of other types have names of their own, and those of the first have none. */
static bool
is_free(const struct door *door, const Elf64_Shdr *section, const char *name, const bool *seen)
{
    if (section->sh_type == SHT_PROGBITS || is_for_debuggers(bare_name(name)))
        return section->sh_type == SHT_PROGBITS &&
               (!is_of_known_compiler(door->view) || is_name_of_user(name, seen)) &&
               !(section->sh_flags & ~(uint64_t)SHF_CUDA_MERCURY) && !section->sh_info &&
               !section->sh_link && !section->sh_entsize;
    for (size_t l = 0; l < COUNT_OF(lists); l++)
        for (size_t i = 0; i < lists[l].count; i++)
            if (lists[l].at[i].type == section->sh_type)
                return false;
    /* Of many sections, and those of NVIDIA that no input is known to have. */
    return section->sh_type == SHT_SYMTAB_SHNDX || section->sh_type >= SHT_LOPROC;
}

/* ---- is it kept? ---- */

/* How the code begins to be called that leads to a unified function. */
#define STUB "__cuda_uf_stub_"

static bool
is_tool_note(const Elf64_Shdr *section)
{
    return section->sh_type == SHT_NOTE && section->sh_flags & SHF_CUDA_TKINFO;
}

/* Is it the note about the tool, if there is one? Of older releases nvlink looks for it there. */
static bool
links_tool(const struct elf_view *view, uint32_t link)
{
    if (link)
        return link < view->section_count && is_tool_note(&view->sections[link]);
    for (uint32_t i = 1; i < view->section_count; i++)
        if (is_tool_note(&view->sections[i]))
            return false;
    return true;
}

static bool
link_fits(const struct door *door, enum link wanted, uint32_t link)
{
    static const uint32_t types[] = {[LINK_SYMTAB] = SHT_SYMTAB,
                                     [LINK_MERCURY_SYMTAB] = SHT_MERCURY_SYMTAB,
                                     [LINK_STRINGS] = SHT_STRTAB};

    if (wanted == LINK_TOOL)
        return links_tool(door->view, link);
    if (wanted == LINK_NONE)
        return link == 0;
    return link < door->view->section_count &&
           door->view->sections[link].sh_type == types[wanted] &&
           (wanted != LINK_STRINGS || !strcmp(elf_section_name(door->view, link), ".strtab"));
}

/* Code stands in .text. and its name; that which leads to a unified function is called after it. */
static bool
is_code_of(const char *section, const char *function)
{
    static const char text[] = ".text.", unified[] = ".nv.uft.rel.";

    if (text_begins(section, text))
        return !strcmp(section + sizeof text - 1, function);
    return text_begins(section, unified) && text_begins(function, STUB) &&
           !strcmp(section + sizeof unified - 1, function + sizeof STUB - 1);
}

static bool
names_function(const struct door *door, uint32_t section, const char *name)
{
    const struct elf_view *view = door->view;
    uint32_t symbol = elf_text_function(view, section);

    return symbol < view->symbol_count &&
           ELF64_ST_TYPE(view->symbols[symbol].st_info) == STT_FUNC &&
           elf_symbol_section(view, symbol) == section &&
           !strcmp(elf_symbol_name(view, symbol), name);
}

/* The symbol has no registers above it. */
static bool
names_stub(const struct elf_view *view, uint32_t section, const char *function)
{
    uint32_t symbol = view->sections[section].sh_info;

    return symbol < view->symbol_count && elf_symbol_section(view, symbol) == section &&
           view->symbols[symbol].st_info == ELF64_ST_INFO(STB_LOCAL, STT_FUNC) &&
           !view->symbols[symbol].st_other && text_begins(elf_symbol_name(view, symbol), STUB) &&
           !strcmp(elf_symbol_name(view, symbol) + sizeof STUB - 1, function);
}

/* What is told of SASS is told of nothing in mercury. */
static bool
is_visible(const struct elf_view *view, uint32_t from, uint32_t section)
{
    return view->sections[from].sh_flags & SHF_CUDA_MERCURY ||
           !(view->sections[section].sh_flags & SHF_CUDA_MERCURY);
}

static bool
info_fits(const struct door *door, const struct rule *rule, uint32_t section)
{
    const struct elf_view *view = door->view;
    uint32_t info = view->sections[section].sh_info;
    const char *rest = elf_section_name(view, section) + rule->length;

    switch (rule->info) {
    case INFO_NONE:
        return info == 0;
    case INFO_FUNCTION:
        return names_function(door, section, rest);
    case INFO_STUB:
        return names_stub(view, section, rest);
    case INFO_CODE:
        return info < view->section_count && is_visible(view, section, info) &&
               is_code_of(bare_name(elf_section_name(view, info)), rest);
    case INFO_TARGET: /* with the dot that ends the prefix */
        return info < view->section_count && is_visible(view, section, info) &&
               !strcmp(bare_name(elf_section_name(view, info)), rest - 1);
    }
    return true;
}

/* ptxas forgets of these that they name what they fill in, where it compiles fast (-ewp -Ofc). */
static bool
is_for_parameters(const struct door *door, const struct rule *rule, uint32_t index)
{
    return rule->type == SHT_REL &&
           text_begins(elf_section_name(door->view, index) + rule->length, "nv.constant0.");
}

static void
check_rule(const struct door *door, const struct rule *rule, uint32_t index)
{
    const Elf64_Shdr *section = &door->view->sections[index];
    /* That of parameters was not set before CUDA 12.4; a linker may have left constants without it. */
    bool is_known = is_of_known_compiler(door->view);
    bool may_name_another = rule->type == SHT_NOTE || is_for_parameters(door, rule, index) ||
                            (rule->type == SHT_CUDA_CONSTANT0 && !is_known) ||
                            (rule->type == SHT_CUDA_CONSTANT2 && door->view->is_of_linker);
    bool has_mercury = door->view->header.e_flags & CUBIN_FLAG_MERCURY;
    bool may_count_barriers = rule->info == INFO_FUNCTION && !is_known && !has_mercury;
    uint64_t ignored =
        (may_name_another ? SHF_INFO_LINK : 0u) | (may_count_barriers ? TEXT_BARRIERS : 0u);

    if (section->sh_type != rule->type || ((section->sh_flags ^ rule->flags) & ~ignored))
        REFUSE_SECTION(door, index, "type 0x%x and flags 0x%llx do not fit the name",
                       section->sh_type, (unsigned long long)section->sh_flags);
    if (section->sh_entsize != rule->entsize && rule->entsize != ANY_SIZE)
        REFUSE_SECTION(door, index, "entries of 0x%llx bytes",
                       (unsigned long long)section->sh_entsize);
    if (rule->entsize && rule->entsize != ANY_SIZE && section->sh_size % rule->entsize)
        REFUSE_SECTION(door, index, "0x%llx bytes in entries of 0x%x",
                       (unsigned long long)section->sh_size, rule->entsize);
    /* A link of mercury sets that of code and parameters by itself. */
    bool is_set = has_mercury && section->sh_flags & SHF_ALLOC;
    if (rule->align != ANY_ALIGN && section->sh_addralign != rule->align && !is_set)
        REFUSE_SECTION(door, index, "alignment 0x%llx", (unsigned long long)section->sh_addralign);
    if (!link_fits(door, rule->link, section->sh_link))
        REFUSE_SECTION(door, index, "section %u is not what it is linked with", section->sh_link);
    if (!info_fits(door, rule, index))
        REFUSE_SECTION(door, index, "0x%x is not what it belongs to", section->sh_info);
}

/* ---- where is it? ---- */

/* Tools write what is told of code and data in this order of kinds. */
enum place { PLACE_ANY, PLACE_DEBUG, PLACE_RECORDS, PLACE_RELOCATIONS, PLACE_MERCURY };

static enum place
place_of(const Elf64_Shdr *section)
{
    if (section->sh_flags & SHF_CUDA_MERCURY)
        return PLACE_MERCURY;
    if (section->sh_flags & SHF_ALLOC)
        return PLACE_ANY;
    switch (section->sh_type) {
    case SHT_PROGBITS:
        return PLACE_DEBUG;
    case SHT_CUDA_INFO: /* of a function */
        return section->sh_flags & SHF_INFO_LINK ? PLACE_RECORDS : PLACE_ANY;
    case SHT_REL:
    case SHT_RELA:
        return PLACE_RELOCATIONS;
    }
    return PLACE_ANY;
}

/* Linkers keep the order, but copy flags of mercury from wherever they stand. */
static void
check_order(const struct door *door, uint32_t index, enum place *last)
{
    const struct elf_view *view = door->view;
    enum place place = place_of(&view->sections[index]);

    if (place == PLACE_ANY || (place == PLACE_MERCURY && view->is_of_linker))
        return;
    if (place < *last && (view->is_of_known_release || !view->is_of_linker))
        REFUSE_SECTION(door, index, "section %u stands behind others that come later", index);
    *last = place;
}

/* ---- all of them ---- */

/* Has the byte that held the number of registers, where the generation has none there? */
static bool
has_old_registers(const struct door *door, const Elf64_Shdr *section)
{
    if (!(section->sh_flags & SHF_EXECINSTR) || !text_registers(section->sh_info))
        return false;
    const struct generation *generation = arch_generation(flags_sm(door->view->header.e_flags));
    return generation && !generation->text_names_registers;
}

static void
check_header(const struct door *door, uint32_t index)
{
    const Elf64_Shdr *section = &door->view->sections[index];
    const uint8_t *name = door->view->section_names.at + section->sh_name;

    /* That of shared memory is made from its variables by each link. nvlink -r takes the end of a
       kernel's memory for an alignment where it links what it has linked before. */
    bool is_made_anew = section->sh_type == SHT_CUDA_SHARED && door->view->is_of_linker &&
                        door->view->header.e_type == ET_REL;
    if (!is_power_of_two(section->sh_addralign) && !is_made_anew)
        REFUSE_SECTION(door, index, "alignment 0x%llx", (unsigned long long)section->sh_addralign);
    if (!*name || (section->sh_name && name[-1]))
        diag_damaged(door->arena->diag, door->view->file_name, "the section header table",
                     section_header_at(door, index), "section %u has no name of its own", index);
    if (section->sh_addr)
        REFUSE_SECTION(door, index, "a section with the address 0x%llx",
                       (unsigned long long)section->sh_addr);
    if (has_old_registers(door, section))
        REFUSE_SECTION(door, index, "0x%x is not what it belongs to", section->sh_info);
    if (section->sh_offset > door->view->file.size) /* also of one without contents */
        REFUSE_SECTION(door, index, "its place 0x%llx is behind the file",
                       (unsigned long long)section->sh_offset);
}

/* The first header counts what does not fit into that of the file, and else holds nothing. */
static void
check_first(const struct door *door)
{
    const Elf64_Shdr *first = &door->view->sections[0];
    const Elf64_Ehdr *header = &door->view->header;

    if (first->sh_type || first->sh_flags || first->sh_offset || first->sh_info ||
        (first->sh_size && header->e_shnum) || (first->sh_link && header->e_shstrndx != SHN_XINDEX))
        diag_damaged(door->arena->diag, door->view->file_name, "the section header table",
                     header->e_shoff, "the first header is not empty");
}

/* A name that is no beginning stands once, so that what is done for it is done once for a file. */
static void
check_single(const struct door *door, const struct rule *rule, uint32_t index, bool *seen)
{
    if (is_open(rule))
        return;
    if (seen[rule_number(rule)])
        REFUSE_SECTION(door, index, "a second section of this name");
    seen[rule_number(rule)] = true;
}

/* Is it like the one before it, which is as its rule says, in all but what has to do with names? There
   are many of them, one for each function. */
static bool
comes_again(const struct door *door, const struct rule *rule, uint32_t index)
{
    const Elf64_Shdr *section = &door->view->sections[index], *before = section - 1;
    const char *name = elf_section_name(door->view, index);

    return section->sh_addralign == before->sh_addralign && section->sh_link == before->sh_link &&
           section->sh_entsize == before->sh_entsize && !section->sh_addr &&
           section->sh_offset <= door->view->file.size &&
           (!rule->entsize || rule->entsize == ANY_SIZE) && is_open(rule) &&
           all_fits(rule, section, name, strlen(name)) && section->sh_type == before->sh_type &&
           section->sh_flags == before->sh_flags && section->sh_name && !name[-1] &&
           !has_old_registers(door, section) && info_fits(door, rule, index);
}

void
check_sections(const struct door *door)
{
    bool seen[RULES] = {0};
    const struct rule *rule = NULL, *last_rule = NULL;
    enum place last = PLACE_ANY;

    check_first(door);
    for (uint32_t i = 1; i < door->view->section_count; i++) {
        const Elf64_Shdr *section = &door->view->sections[i];

        if (rule && comes_again(door, rule, i))
            continue;
        rule = find_rule(door, i, last_rule);
        last_rule = rule ? rule : last_rule;
        check_header(door, i);
        check_order(door, i, &last);
        if (rule) {
            check_rule(door, rule, i);
            check_single(door, rule, i, seen);
        } else if (!is_free(door, section, elf_section_name(door->view, i), seen))
            REFUSE_SECTION(door, i, "sections of type 0x%x and flags 0x%llx have another name",
                           section->sh_type, (unsigned long long)section->sh_flags);
    }
}
