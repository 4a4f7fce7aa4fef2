#include "mercury/code_map.h"

#include "mercury/leaf_kernels.h"

/* An exit stands behind what is put before it. */
static void
move_map(struct code_map *map, const struct function *function)
{
    for (uint32_t i = 0; i < map->places.count && function->shift; i++) {
        struct code_place *place = &map->places.at[i];
        uint32_t length = place->behind - place->itself,
                 to_patched = place->patched - place->itself,
                 from_begin = place->itself - place->begin;
        place->sass = (uint32_t)moved_place(function, place->sass);
        place->behind = (uint32_t)moved_place(function, place->behind);
        place->itself = place->behind - length;
        place->patched = place->itself + to_patched;
        place->begin = place->itself - from_begin;
    }
}

/* Without places if they are not known. */
static struct code_map *
make_map(struct elfw *elfw, const struct object *object, uint32_t symbol)
{
    struct code_map *map = arena_zero(elfw->arena, sizeof *map);

    if (!object || !symbol)
        return map;
    const struct elf_view *elf = &object->elf;
    uint32_t section = elf_symbol_section(elf, symbol);
    if (!elf->twins || section >= elf->section_count || !elf->twins[section])
        return map;
    struct bytes capsule = elf_contents(elf, section);
    struct bytes text = elf_contents(elf, elf->twins[section]);
    if (!capsule.at || !text.at ||
        !read_code_map(map, elfw->arena, capsule, text, elf->symbols[symbol].st_size))
        map->places.count = 0;
    return map;
}

const struct code_map *
definition_code_map(struct elfw *elfw, const struct object *object, uint32_t symbol)
{
    if (!elfw->input_maps)
        elfw->input_maps = arena_array(elfw->arena, elfw->objects.count, sizeof *elfw->input_maps);
    struct code_map ***maps = &elfw->input_maps[object->number];
    if (!*maps)
        *maps = arena_array(elfw->arena, object->elf.symbol_count, sizeof **maps);
    if (!(*maps)[symbol])
        (*maps)[symbol] = make_map(elfw, object, symbol);
    return (*maps)[symbol]->places.count ? (*maps)[symbol] : NULL;
}

const struct code_map *
function_code_map(struct elfw *elfw, uint32_t ordinal)
{
    const struct function *function = elfw_function(elfw, ordinal);

    if (!elfw->code_maps)
        elfw->code_maps = arena_array(elfw->arena, elfw->functions.count, sizeof *elfw->code_maps);
    struct code_map *map = elfw->code_maps[ordinal];
    if (!map) {
        map = make_map(elfw, elfw->objects.at[function->object], function->input_symbol);
        move_map(map, function);
        elfw->code_maps[ordinal] = map;
    }
    return map->places.count ? map : NULL;
}
