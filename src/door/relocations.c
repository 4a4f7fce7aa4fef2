#include "door/symbols.h"

#include "cubin/reloc_entry.h"
#include "cubin/reloc_table.h"

/* Types of SASS; others belong to mercury, whose tables have another type. */
enum { LAST_TYPE = 0xffff };

/* ---- what instructions may say of what they name ---- */

/* Types that instructions of 128 bits have for each kind of thing, by number. */
static bool
is_listed(const uint8_t *types, uint32_t type)
{
    while (*types && *types != type)
        types++;
    return *types != 0;
}

/* Slots and banks are none of memory. */
static bool
has_address_alone(const struct reloc_kind *kind)
{
    for (int i = 0; i < RELOC_MAX_FIELDS && kind->fields[i].width; i++)
        if (kind->fields[i].source == FIELD_SLOT || kind->fields[i].source == FIELD_BANK)
            return false;
    return true;
}

static bool
fits_object(uint32_t type, unsigned flags)
{
    static const uint8_t global[] = {56, 57, 0}, constant[] = {59, 64, 65, 66, 115, 0},
                         unified[] = {56, 57, 112, 113, 0};
    const struct reloc_kind *kind = reloc_kind(type);

    switch (memory_space(flags)) {
    case STO_CUDA_GLOBAL:
        return is_listed(flags & STO_CUDA_UNIFIED ? unified : global, type);
    case STO_CUDA_CONSTANT:
        return is_listed(constant, type);
    case STO_CUDA_SHARED: /* an address in each kernel, of whatever width */
        return kind && kind->class == RELOC_LINKER && has_address_alone(kind);
    }
    return true;
}

/* Tables of functions that programs share, which the loader makes. */
static bool
fits_table(const struct elf_view *view, uint32_t type, uint32_t index)
{
    static const uint8_t unified[] = {112, 113, 114, 0};
    bool is_table = ELF64_ST_TYPE(view->symbols[index].st_info) == STT_OBJECT &&
                    text_begins(elf_symbol_name(view, index), "__U");

    return !is_table || is_listed(unified, type);
}

static bool
fits_code(const struct elf_view *view, uint32_t type, uint32_t index)
{
    static const uint8_t label[] = {68, 69, 0}, image[] = {59, 64, 65, 66, 115, 0},
                         loader[] = {55, 56, 57, 112, 113, 114, 0},
                         function[] = {56, 57, 58, 61, 62, 63, 75, 112, 113, 114, 0};
    const Elf64_Sym *symbol = &view->symbols[index];

    switch (ELF64_ST_TYPE(symbol->st_info)) {
    case STT_NOTYPE:
        return is_listed(label, type);
    case STT_OBJECT:
        return is_listed(loader, type);
    case STT_FUNC:
        return is_listed(function, type);
    case STT_CUDA_TEXTURE:
    case STT_CUDA_SAMPLER:
    case STT_CUDA_SURFACE:
        return is_listed(image, type);
    case STT_CUDA_OBJECT:
        return fits_object(type, symbol->st_other);
    }
    return true;
}

/* Sections that are neither loaded nor for debuggers have no place to speak of. */
static bool
has_no_place(const struct elf_view *view, uint32_t section_symbol)
{
    const Elf64_Shdr *section = &view->sections[elf_symbol_section(view, section_symbol)];

    return section->sh_type != SHT_PROGBITS && !(section->sh_flags & SHF_ALLOC);
}

/* Where both views have the instruction, what a relocation fills in is 0 before: bits of the lower and
   the upper half. Offsets of constants are told by the capsule. */
static bool
is_unfilled(uint32_t type, const uint8_t *instruction)
{
    static const uint64_t filled[][2] = {
        [55] = {0xffffffff00000000, 0},       [56] = {0xffffffff00000000, 0},
        [57] = {0xffffffff00000000, 0},       [59] = {0xffffffff00000000, 0},
        [62] = {0xffffffff00000000, 0},       [63] = {0xffffffff00000000, 0},
        [75] = {0xffffffff00000000, 0x1ffff}, [112] = {0xffffffff00000000, 0},
        [113] = {0xffffffff00000000, 0},      [114] = {0xffffffff00000000, 0x1ffff},
    };

    return type >= COUNT_OF(filled) ||
           (!(read_u64(instruction) & filled[type][0]) &&
            !(read_u64(instruction + sizeof(uint64_t)) & filled[type][1]));
}

/* The instructions of a mercury file that a table of it is about; else none. */
static struct bytes
described_code(const struct elf_view *view, uint32_t text)
{
    bool is_code = view->sections[text].sh_flags & SHF_EXECINSTR;

    return is_code && view->header.e_flags & CUBIN_FLAG_MERCURY ? elf_contents(view, text)
                                                                : (struct bytes){0};
}

/* What belongs to one function is named by its own code alone. */
static bool
is_of_other_function(const struct door *door, uint32_t symbol, uint32_t text)
{
    const Elf64_Shdr *section = section_of(door, symbol);

    return section && is_owned(section) && section->sh_info != text &&
           ELF64_ST_TYPE(door->view->symbols[symbol].st_info) == STT_CUDA_OBJECT &&
           !door->view->is_of_linker;
}

/* What it names; where there is SASS alone, symbols that there are not are met with nvlink's message,
   later. */
static void
check_named(const struct door *door, uint32_t section, size_t at, const uint8_t *entry,
            bool is_code)
{
    const struct elf_view *view = door->view;
    uint32_t type = entry_type(entry), symbol = entry_symbol(entry);

    if (symbol >= view->symbol_count && view->header.e_flags & CUBIN_FLAG_MERCURY)
        REFUSE_CONTENTS(door, section, at, "symbol %u is past the table of %u", symbol,
                        view->symbol_count);
    if (symbol >= view->symbol_count)
        return;
    bool is_section = ELF64_ST_TYPE(view->symbols[symbol].st_info) == STT_SECTION;
    if (is_code && is_section)
        REFUSE_CONTENTS(door, section, at, "code that needs the place of a section");
    /* Other releases may have other types. */
    bool fits = !is_code || !reloc_kind(type) ||
                (fits_table(view, type, symbol) &&
                 (!view->is_of_known_release || fits_code(view, type, symbol)) &&
                 !is_of_other_function(door, symbol, view->sections[section].sh_info));
    if (!fits)
        REFUSE_CONTENTS(door, section, at, "type 0x%x against '%s'", type,
                        elf_symbol_name(view, symbol));
    if (is_section && has_no_place(view, symbol))
        REFUSE_CONTENTS(door, section, at, "symbol %u has no place", symbol);
}

/* What is cleared with a function is told about it, and not part of code. */
static bool
is_of_code(uint32_t type)
{
    const struct reloc_kind *kind = reloc_kind(type);

    return kind && kind->class != RELOC_CLEAR;
}

/* Parameters hold places of textures, samplers and surfaces. */
static bool
is_slot(uint32_t type)
{
    static const uint8_t slots[] = {R_CUDA_TEX_HEADER_INDEX, R_CUDA_SAMP_HEADER_INDEX,
                                    R_CUDA_SURF_HEADER_INDEX, R_CUDA_SAMP_HEADER_INDEX_0, 0};

    return is_listed(slots, type);
}

/* Is each field of the section filled in by one relocation? What a relocatable link leaves of whole
   programs for debuggers has entries for nothing, all at 0; those of frames are looked at with them. */
static bool
has_fields_alone(const struct elf_view *view, uint32_t section)
{
    return view->sections[section].sh_flags & SHF_ALLOC ||
           (!view->is_of_linker && strcmp(elf_section_name(view, section), ".debug_frame") != 0);
}

static bool
names_function(const struct elf_view *view, const uint8_t *entry)
{
    uint32_t symbol = entry_symbol(entry);

    return symbol < view->symbol_count && ELF64_ST_TYPE(view->symbols[symbol].st_info) == STT_FUNC;
}

/* Tables of lines name functions whose lines they are, and strings. */
static bool
is_of_lines(const struct elf_view *view, uint32_t section)
{
    const char *name = elf_section_name(view, section);

    return is_of_known_compiler(view) && !(view->sections[section].sh_flags & SHF_ALLOC) &&
           (!strcmp(name, ".debug_line") || !strcmp(name, ".nv_debug_line_sass"));
}

/* A bit for each of the first 128 types. */
static bool
has_bit(const uint64_t bits[2], uint32_t type)
{
    return type < 128 && bits[type / 64] >> type % 64 & 1;
}

static void
set_bit(uint64_t bits[2], uint32_t type)
{
    if (type < 128)
        bits[type / 64] |= (uint64_t)1 << type % 64;
}

/* What a table is about. */
struct target {
    bool is_code; /* of data: nvlink's message, later */
    bool is_bank, is_of_lines;
    struct bytes code; /* see described_code */
    uint64_t known[2]; /* types by which code may name a function: no more than them counts */
};

static void
check_type(const struct door *door, uint32_t section, size_t at, const uint8_t *entry,
           struct target *target)
{
    uint32_t type = entry_type(entry);
    bool is_of_function = target->is_code && names_function(door->view, entry);

    if (is_of_function && has_bit(target->known, type))
        return;
    bool is_type = !target->is_code || is_of_code(type) || (!reloc_kind(type) && target->code.size);
    if (type > LAST_TYPE || !is_type || (target->is_bank && !is_slot(type)))
        REFUSE_CONTENTS(door, section, at, "type 0x%x", type);
    check_named(door, section, at, entry, target->is_code);
    if (target->is_of_lines && type == R_CUDA_64 && !names_function(door->view, entry))
        REFUSE_CONTENTS(door, section, at, "lines of symbol %u, which is no function",
                        entry_symbol(entry));
    if (is_of_function)
        set_bit(target->known, type);
}

/* Two entries go together that change YIELD into another instruction; else there is one for each. */
static bool
changes_twice(const struct door *door, struct bytes entries, size_t step)
{
    if (!has_repeats(door, entries, step, sizeof(uint64_t)))
        return false;
    uint8_t *others = arena_alloc(door->arena, entries.size);
    size_t size = 0;
    for (size_t at = 0; at + step <= entries.size; at += step) {
        memcpy(others + size, entries.at + at, step);
        size += entry_type(entries.at + at) == R_CUDA_YIELD_CLEAR_PRED4_87 ? 0 : step;
    }
    return has_repeats(door, (struct bytes){others, size}, step, sizeof(uint64_t));
}

void
check_relocations(const struct door *door, uint32_t section)
{
    const struct elf_view *view = door->view;
    struct bytes entries = elf_contents(view, section);
    size_t step =
        view->sections[section].sh_type == SHT_REL ? sizeof(Elf64_Rel) : sizeof(Elf64_Rela);
    uint32_t about = view->sections[section].sh_info;
    uint64_t size = view->sections[about].sh_size;
    struct target target = {
        .is_code = view->sections[about].sh_flags & SHF_EXECINSTR,
        .is_bank = view->sections[about].sh_type == SHT_CUDA_CONSTANT0,
        .is_of_lines = is_of_lines(view, about),
        .code = described_code(view, about),
    };

    for (size_t at = 0; at + step <= entries.size; at += step) {
        uint64_t offset = entry_offset(entries.at + at);

        if (offset > UINT32_MAX || (target.is_code && (offset >= size || offset % 16)))
            REFUSE_CONTENTS(door, section, at, "offset 0x%llx in a section of 0x%llx bytes",
                            (unsigned long long)offset, (unsigned long long)size);
        check_type(door, section, at, entries.at + at, &target);
        if (target.code.size && bytes_hold(target.code, offset, 16) &&
            !is_unfilled(entry_type(entries.at + at), target.code.at + offset))
            REFUSE_CONTENTS(door, about, offset, "the field of a relocation is not empty");
    }
    if (target.is_code && changes_twice(door, entries, step))
        REFUSE_CONTENTS(door, section, 0, "two relocations of one instruction");
    if (!target.is_code && has_fields_alone(view, about) && has_shared_fields(door, entries, step))
        REFUSE_CONTENTS(door, section, 0, "two relocations of one field");
}

/* ---- both tables of one section ---- */

static bool
is_table_of_code(const struct elf_view *view, uint32_t section)
{
    uint32_t type = view->sections[section].sh_type;

    return (type == SHT_REL || type == SHT_RELA) &&
           view->sections[view->sections[section].sh_info].sh_flags & SHF_EXECINSTR;
}

/* The offsets of a table's entries, behind those that are there. */
static void
add_offsets(const struct elf_view *view, uint32_t section, uint64_t *offsets, size_t *count)
{
    struct bytes entries = elf_contents(view, section);
    size_t step =
        view->sections[section].sh_type == SHT_REL ? sizeof(Elf64_Rel) : sizeof(Elf64_Rela);

    for (size_t at = 0; at + step <= entries.size; at += step)
        if (!is_of_yield(entry_type(entries.at + at)))
            offsets[(*count)++] = entry_offset(entries.at + at);
}

/* Entries with addends stand in a table of their own: an instruction has one in either. */
static void
check_both_tables(const struct door *door, uint32_t table, uint32_t other)
{
    const struct elf_view *view = door->view;
    size_t count = 0, most = (elf_contents(view, table).size + elf_contents(view, other).size) /
                             sizeof(Elf64_Rel);
    uint64_t *offsets = arena_array(door->arena, most, sizeof *offsets);

    add_offsets(view, table, offsets, &count);
    add_offsets(view, other, offsets, &count);
    struct bytes rows = {(const uint8_t *)offsets, count * sizeof *offsets};
    if (has_repeats(door, rows, sizeof *offsets, sizeof *offsets))
        REFUSE_CONTENTS(door, other, 0, "two relocations of one instruction");
}

void
check_relocation_pairs(const struct door *door)
{
    const struct elf_view *view = door->view;
    uint32_t *tables = arena_array(door->arena, view->section_count, sizeof *tables);

    for (uint32_t i = 1; i < view->section_count; i++) {
        if (!is_table_of_code(view, i))
            continue;
        uint32_t *first = &tables[view->sections[i].sh_info];
        if (*first)
            check_both_tables(door, *first, i);
        *first = i;
    }
}
