#include "door/check.h"

#include "cubin/reloc_entry.h"
#include "cubin/reloc_table.h"
#include "mercury/code_index.h"
#include "mercury/line_program.h"

/*
 * Addresses in what both views say alike for debuggers (.debug_info, .debug_loc): each names a function
 * and a place in its code, which is that of mercury in the section itself.
 */
enum { STEP = sizeof(Elf64_Rela) };

struct addresses {
    const struct door *door;
    struct code_map *const *maps;
    uint32_t table;        /* of mercury */
    struct bytes contents; /* that the relocations are for */
    uint32_t symbol;       /* the one that was named last, 0: none was, */
    struct code_map *map;  /* and its code; NULL: places are not known */
};

/* Most entries name the function of the one before. */
static const struct code_map *
map_of(struct addresses *addresses, uint32_t symbol)
{
    const struct door *door = addresses->door;

    if (symbol && symbol == addresses->symbol)
        return addresses->map;
    addresses->symbol = symbol;
    addresses->map =
        door->view->is_of_known_release ? map_of_symbol(door->view, addresses->maps, symbol) : NULL;
    if (addresses->map)
        code_map_index(addresses->map, door->known, door->arena);
    return addresses->map;
}

static bool
is_place_of_mercury(const struct addresses *addresses, const uint8_t *entry)
{
    uint64_t offset = entry_offset(entry);

    return bytes_hold(addresses->contents, offset, sizeof(uint64_t)) &&
           read_u64(addresses->contents.at + offset) == entry_addend(entry);
}

/* The instruction that the one of mercury begins with; behind the last one the end of the text. A
   relocatable link reads places of definitions that were replaced as those of the winner: the next
   instruction is named, or none, where there is none. */
static bool
is_same_place(struct addresses *addresses, const uint8_t *mercury, const uint8_t *sass)
{
    const struct elf_view *view = addresses->door->view;
    uint32_t symbol = entry_symbol(mercury);
    const struct code_map *map = map_of(addresses, symbol);
    uint64_t addend = entry_addend(mercury), there = entry_addend(sass);

    if (!map)
        return true;
    const struct code_place *place =
        addend <= UINT32_MAX ? indexed_code_from(map, (uint32_t)addend) : NULL;
    if (!view->is_of_linker && (!place || place->mercury != addend))
        return false;
    if (place && place < &map->places.at[map->places.count - 1])
        return there == place->sass;
    return there == view->sass_symbols[symbol].st_size || (view->is_of_linker && !there);
}

/* ---- units of line tables ---- */

/* Where one begins in each view. */
struct unit_places {
    uint64_t mercury, sass;
};

static uint32_t
line_section(const struct elf_view *view, uint32_t symbol)
{
    uint32_t section = symbol < view->symbol_count ? elf_symbol_section(view, symbol) : 0;

    return section && section < view->section_count && view->twins[section] ? section : 0;
}

static void
read_units(struct line_units *units, const struct door *door, uint32_t section)
{
    struct bytes mercury = elf_contents(door->view, section);
    struct bytes sass = elf_contents(door->view, door->view->twins[section]);
    struct line_unit one = {0}, other = {0};

    units->are_known = true;
    while (one.to < mercury.size && line_unit_read(&one, mercury, one.to) &&
           line_unit_read(&other, sass, other.to))
        array_push(&units->list, door->arena, ((struct unit_places){one.from, other.from}));
}

/* Units stand in the order of their places. */
static bool
is_same_unit(const struct line_units *units, uint64_t mercury, uint64_t sass)
{
    uint32_t low = 0, high = units->list.count;

    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (units->list.at[middle].mercury < mercury)
            low = middle + 1;
        else
            high = middle;
    }
    return low < units->list.count && units->list.at[low].mercury == mercury &&
           units->list.at[low].sass == sass;
}

static void
check_unit(const struct addresses *addresses, struct line_units *units, const uint8_t *mercury,
           const uint8_t *sass, size_t at)
{
    uint32_t section = line_section(addresses->door->view, entry_symbol(mercury));

    if (!section)
        return;
    if (!units->are_known)
        read_units(units, addresses->door, section);
    if (!is_same_unit(units, entry_addend(mercury), entry_addend(sass)))
        REFUSE_CONTENTS(addresses->door, addresses->table, at, "the other view names other lines");
}

void
check_debug_places(const struct door *door, uint32_t table, struct code_map *const *maps,
                   struct line_units *units)
{
    const struct elf_view *view = door->view;
    struct bytes mercury = elf_contents(view, table), sass = elf_contents(view, view->twins[table]);
    struct addresses addresses = {
        .door = door,
        .maps = maps,
        .table = table,
        .contents = elf_contents(view, view->sections[table].sh_info),
    };

    for (size_t at = 0; at + STEP <= mercury.size && at + STEP <= sass.size; at += STEP) {
        if (entry_type(mercury.at + at) == R_MERCURY_PROG_REL32)
            check_unit(&addresses, units, mercury.at + at, sass.at + at, at);
        if (entry_type(mercury.at + at) != R_MERCURY_ABS_PROG_REL64)
            continue;
        if (!is_place_of_mercury(&addresses, mercury.at + at))
            REFUSE_CONTENTS(door, table, at, "the addend is not what is at its place");
        if (!is_same_place(&addresses, mercury.at + at, sass.at + at))
            REFUSE_CONTENTS(door, view->twins[table], at,
                            "the place is not that of the other view");
    }
}
