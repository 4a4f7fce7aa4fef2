#include "mercury/code_map.h"

#include "mercury/capsule.h"
#include "mercury/instruction_width.h"
#include "mercury/leaf_kernels.h"
#include "schedule/instruction.h"

enum { RECORD_UNIT = 16, COUNT_SIZE = 2 };

/* A fence and what waits for it: all of an entry for a fence, and what guards an exit. */
static bool
is_fence(uint64_t low)
{
    unsigned opcode = low & 0xfff;
    return opcode == 0x992 || opcode == 0x9ab || opcode == 0x5ab || opcode == 0x98f;
}

static uint64_t
instruction_at(struct bytes text, uint32_t number)
{
    return read_u64(text.at + (size_t)number * SASS_INSTRUCTION);
}

/* Bytes of mercury that the entry is; false: that is not known. */
static bool
entry_width(struct bytes capsule, struct bytes text, const struct capsule_entry *entry,
            uint32_t *width)
{
    size_t at = (size_t)entry->first * SASS_INSTRUCTION;

    if (entry->record && entry->size == COUNT_SIZE) {
        *width = 0;
        return true;
    }
    if (entry->record)
        *width = (capsule.at[entry->record] & 0xfu) * RECORD_UNIT;
    else
        *width = implied_width(read_u64(text.at + at), read_u64(text.at + at + 8));
    return *width != 0;
}

/* The instruction that does what the entry says: the first behind a fence, unless it is one. */
static uint32_t
entry_itself(struct bytes text, const struct capsule_entry *entry)
{
    uint32_t at = entry->first, end = entry->first + entry->count;

    while (at < end && is_fence(instruction_at(text, at)))
        at++;
    return (at < end ? at : entry->first) * SASS_INSTRUCTION;
}

/* False where a length is not known, or all of them are not that of the function. */
static bool
fill_map(struct code_map *map, struct arena *arena, struct bytes capsule, struct bytes text,
         uint64_t size)
{
    struct capsule_reader reader = capsule_open(capsule);
    struct capsule_entry entry;
    uint32_t mercury = 0, width, end = 0;

    while (capsule_next(&reader, &entry)) {
        uint32_t first = entry.first * SASS_INSTRUCTION;

        if (!entry_width(capsule, text, &entry, &width))
            return false;
        if (width) {
            uint32_t itself = entry_itself(text, &entry);
            array_push(
                &map->places, arena,
                ((struct code_place){mercury, first, first, itself, itself + SASS_INSTRUCTION}));
            end = (entry.first + entry.count) * SASS_INSTRUCTION;
        }
        mercury += width;
    }
    array_push(&map->places, arena, ((struct code_place){mercury, end, end, end, end}));
    return mercury == size;
}

/* An exit stands behind what is put before it. */
static void
move_map(struct code_map *map, const struct function *function)
{
    for (uint32_t i = 0; i < map->places.count && function->shift; i++) {
        struct code_place *place = &map->places.at[i];
        uint32_t length = place->behind - place->itself;
        bool is_alone = place->itself == place->sass;
        place->sass = (uint32_t)moved_place(function, place->sass);
        place->behind = (uint32_t)moved_place(function, place->behind);
        place->itself = place->behind - length;
        place->begin = is_alone ? place->itself : place->sass;
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
    struct capsule_place place;
    if (!capsule.at || !text.at || capsule_check(capsule, text, &place) ||
        !fill_map(map, elfw->arena, capsule, text, elf->symbols[symbol].st_size))
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

const struct code_place *
code_from(const struct code_map *map, uint32_t mercury)
{
    uint32_t low = 0, high = map->places.count;

    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (map->places.at[middle].mercury < mercury)
            low = middle + 1;
        else
            high = middle;
    }
    return low < map->places.count ? &map->places.at[low] : NULL;
}

const struct code_place *
code_at(const struct code_map *map, uint32_t mercury)
{
    const struct code_place *place = code_from(map, mercury);
    return place && place->mercury == mercury ? place : NULL;
}

const struct code_place *
code_of_sass(const struct code_map *map, uint64_t sass)
{
    uint32_t low = 0, high = map->places.count;

    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (map->places.at[middle].sass <= sass)
            low = middle + 1;
        else
            high = middle;
    }
    const struct code_place *last = low ? &map->places.at[low - 1] : NULL;
    return last && (last->sass == sass || last->itself == sass) ? last : NULL;
}

uint32_t
place_before_next(const struct code_map *map, const struct code_place *place)
{
    bool is_end = place == &map->places.at[map->places.count - 1];
    return is_end ? place->itself : place[1].begin - SASS_INSTRUCTION;
}

const struct code_place *
code_before_next(const struct code_map *map, uint64_t sass)
{
    uint32_t low = 1, high = map->places.count;

    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (map->places.at[middle].begin <= sass)
            low = middle + 1;
        else
            high = middle;
    }
    const struct code_place *place = &map->places.at[low - 1];
    return place_before_next(map, place) == sass ? place : NULL;
}
