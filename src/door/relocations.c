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

void
check_relocations(const struct door *door, uint32_t section)
{
    const struct elf_view *view = door->view;
    struct bytes entries = elf_contents(view, section);
    size_t step =
        view->sections[section].sh_type == SHT_REL ? sizeof(Elf64_Rel) : sizeof(Elf64_Rela);
    const Elf64_Shdr *target = &view->sections[view->sections[section].sh_info];
    bool is_code = target->sh_flags & SHF_EXECINSTR; /* data: nvlink's message, later */

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
    }
    if (is_code && has_repeats(door, entries, step, sizeof(uint64_t)))
        REFUSE_CONTENTS(door, section, 0, "two relocations of one instruction");
}
