#include "door/check.h"

/*
 * An entry of .nv.uft.entry or .nv.udt.entry is
 *
 *     u32 symbol    u32 flags    u64 place of the symbol    u64 and u64, which tell it from others
 *
 * A link sets two more flags.
 */
enum { FLAGS_AT = 4, PLACE_AT = 8, IS_UNIFIED = 1, WAS_LINKED = 7 };

void
check_unified_entries(const struct door *door, uint32_t section)
{
    const struct elf_view *view = door->view;
    struct bytes entries = elf_contents(view, section);
    bool is_code = view->sections[section].sh_type == SHT_CUDA_UFT_ENTRY;

    for (size_t at = 0; at + UNIFIED_ENTRY <= entries.size; at += UNIFIED_ENTRY) {
        const uint8_t *entry = entries.at + at;
        uint32_t symbol = read_u32(entry);

        if (symbol >= view->symbol_count ||
            (ELF64_ST_TYPE(view->symbols[symbol].st_info) == STT_FUNC) != is_code)
            REFUSE_CONTENTS(door, section, at, "symbol %u is not what is unified", symbol);
        if (read_u32(entry + FLAGS_AT) != (view->is_of_linker ? WAS_LINKED : IS_UNIFIED) ||
            read_u64(entry + PLACE_AT) != view->symbols[symbol].st_value)
            REFUSE_CONTENTS(door, section, at, "'%s' has flags 0x%x, and the place 0x%llx",
                            elf_symbol_name(view, symbol), read_u32(entry + FLAGS_AT),
                            (unsigned long long)read_u64(entry + PLACE_AT));
    }
}
