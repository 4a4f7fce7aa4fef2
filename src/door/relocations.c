#include "door/check.h"

#include "cubin/reloc_table.h"

/* Types of SASS; others belong to mercury, whose tables have another type. */
enum { LAST_TYPE = 0xffff };

/* What is cleared with a function is told about it, and not part of code. */
static bool
is_clearing(uint32_t type)
{
    const struct reloc_kind *kind = reloc_kind(type);

    return kind && kind->class == RELOC_CLEAR;
}

/* Code names what it uses. */
static bool
is_section(const struct elf_view *view, uint32_t symbol)
{
    return symbol < view->symbol_count &&
           ELF64_ST_TYPE(view->symbols[symbol].st_info) == STT_SECTION;
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

    return type >= sizeof filled / sizeof *filled ||
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

void
check_relocations(const struct door *door, uint32_t section)
{
    const struct elf_view *view = door->view;
    struct bytes entries = elf_contents(view, section);
    size_t step =
        view->sections[section].sh_type == SHT_REL ? sizeof(Elf64_Rel) : sizeof(Elf64_Rela);
    const Elf64_Shdr *target = &view->sections[view->sections[section].sh_info];
    bool is_code = target->sh_flags & SHF_EXECINSTR; /* data: nvlink's message, later */
    struct bytes code = described_code(view, view->sections[section].sh_info);

    for (size_t at = 0; at + step <= entries.size; at += step) {
        uint64_t offset = read_u64(entries.at + at);
        uint32_t type = read_u32(entries.at + at + 8);
        uint32_t symbol = read_u32(entries.at + at + 12);

        if (is_code && is_section(view, symbol))
            REFUSE_CONTENTS(door, section, at, "code that needs the place of a section");
        if (offset > UINT32_MAX || (is_code && offset >= target->sh_size))
            REFUSE_CONTENTS(door, section, at, "offset 0x%llx in a section of 0x%llx bytes",
                            (unsigned long long)offset, (unsigned long long)target->sh_size);
        if (type > LAST_TYPE || (is_code && is_clearing(type)))
            REFUSE_CONTENTS(door, section, at, "type 0x%x", type);
        if (offset % 16 == 0 && bytes_hold(code, offset, 16) &&
            !is_unfilled(type, code.at + offset))
            REFUSE_CONTENTS(door, view->sections[section].sh_info, offset,
                            "the field of a relocation is not empty");
    }
    if (is_code && has_repeats(door, entries, step, sizeof(uint64_t)))
        REFUSE_CONTENTS(door, section, 0, "two relocations of one instruction");
}
