#include "door/check.h"

#include "cubin/reloc_entry.h"
#include "cubin/reloc_table.h"
#include "mercury/code_places.h"

/*
 * Addresses in what both views say alike for debuggers (.debug_info, .debug_loc): each names a function
 * and a place in its code, which is that of mercury in the section itself.
 */
struct addresses {
    const struct door *door;
    struct code_map *const *maps;
    uint32_t table;        /* of mercury */
    struct bytes contents; /* that the relocations are for */
};

static bool
is_place_of_mercury(const struct addresses *addresses, const uint8_t *entry)
{
    uint64_t offset = entry_offset(entry);

    return bytes_hold(addresses->contents, offset, sizeof(uint64_t)) &&
           read_u64(addresses->contents.at + offset) == entry_addend(entry);
}

/* The instructions of the function that the entry names; NULL: they are not known. */
static const struct code_map *
map_of_named(const struct addresses *addresses, uint32_t symbol)
{
    const struct elf_view *view = addresses->door->view;
    uint32_t text = symbol < view->symbol_count ? elf_symbol_section(view, symbol) : 0;

    return text && text < view->section_count && !view->symbols[symbol].st_value
               ? addresses->maps[text]
               : NULL;
}

/* The instruction that the one of mercury begins with; behind the last one the end of the text. A
   relocatable link reads places of definitions that were replaced as those of the winner: the next
   instruction is named, or none, where there is none. */
static bool
is_same_place(const struct addresses *addresses, const uint8_t *mercury, const uint8_t *sass)
{
    const struct elf_view *view = addresses->door->view;
    uint32_t symbol = entry_symbol(mercury);
    const struct code_map *map = map_of_named(addresses, symbol);
    uint64_t addend = entry_addend(mercury), there = entry_addend(sass);

    if (!map || !view->is_of_known_release)
        return true;
    const struct code_place *place = addend <= UINT32_MAX ? code_from(map, (uint32_t)addend) : NULL;
    if (!view->is_of_linker && (!place || place->mercury != addend))
        return false;
    if (place && place < &map->places.at[map->places.count - 1])
        return there == place->sass;
    return there == view->sass_symbols[symbol].st_size || (view->is_of_linker && !there);
}

void
check_debug_places(const struct door *door, uint32_t table, struct code_map *const *maps)
{
    const struct elf_view *view = door->view;
    struct bytes mercury = elf_contents(view, table), sass = elf_contents(view, view->twins[table]);
    struct addresses addresses = {
        .door = door,
        .maps = maps,
        .table = table,
        .contents = elf_contents(view, view->sections[table].sh_info),
    };

    for (size_t at = 0; at < mercury.size && at < sass.size; at += sizeof(Elf64_Rela)) {
        if (entry_type(mercury.at + at) != R_MERCURY_ABS_PROG_REL64)
            continue;
        if (!is_place_of_mercury(&addresses, mercury.at + at))
            REFUSE_CONTENTS(door, table, at, "the addend is not what is at its place");
        if (!is_same_place(&addresses, mercury.at + at, sass.at + at))
            REFUSE_CONTENTS(door, view->twins[table], at,
                            "the place is not that of the other view");
    }
}
