#include "mercury/code_map.h"

#include "mercury/capsule.h"
#include "mercury/instruction_width.h"
#include "mercury/leaf_kernels.h"
#include "schedule/instruction.h"

enum { RECORD_UNIT = 16, COUNT_SIZE = 2 };

/* Instructions that only wait for what a fence or an exit has to wait for stand behind a fence. */
static bool
is_wait(uint64_t low)
{
    unsigned opcode = opcode_of(&(struct instruction){.low = low});
    return opcode == OP_ERRBAR || opcode == OP_CGAERRBAR || opcode == OP_CCTL;
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

/* The instruction that does what the entry says. */
static uint32_t
entry_itself(struct bytes text, const struct capsule_entry *entry)
{
    uint32_t count = entry->count;

    while (count > 1 && is_wait(instruction_at(text, entry->first + count - 1)))
        count--;
    return (entry->first + count - 1) * SASS_INSTRUCTION;
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
            array_push(&map->places, arena,
                       ((struct code_place){mercury, first, itself, itself + SASS_INSTRUCTION}));
            end = (entry.first + entry.count) * SASS_INSTRUCTION;
        }
        mercury += width;
    }
    array_push(&map->places, arena, ((struct code_place){mercury, end, end, end}));
    return mercury == size;
}

/* An exit stands behind what is put before it. */
static void
move_map(struct code_map *map, const struct function *function)
{
    for (uint32_t i = 0; i < map->places.count && function->shift; i++) {
        struct code_place *place = &map->places.at[i];
        uint32_t length = place->behind - place->itself;
        place->sass = (uint32_t)moved_place(function, place->sass);
        place->behind = (uint32_t)moved_place(function, place->behind);
        place->itself = place->behind - length;
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
    return is_end ? place->itself : place[1].itself - SASS_INSTRUCTION;
}
