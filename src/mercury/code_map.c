#include "mercury/code_map.h"

#include "mercury/capsule.h"
#include "mercury/leaf_kernels.h"
#include "schedule/blocks.h"

/* An exit stands behind what is put before it. */
static void
move_map(struct code_map *map, const struct function *function)
{
    for (uint32_t i = 0; i < map->places.count && function->shift; i++) {
        struct code_place *place = &map->places.at[i];
        bool is_end = i + 1 == map->places.count;
        uint32_t length = is_end ? 0 : SASS_INSTRUCTION;
        uint64_t behind = moved_place(function, place_of_step(place, place->itself) + length);
        uint64_t sass = moved_place(function, place->sass);
        int16_t itself = (int16_t)(((int64_t)(behind - sass) - length) / SASS_INSTRUCTION);

        place->sass = (uint32_t)sass;
        place->begin = (int16_t)(itself + place->begin - place->itself);
        place->patched = (int16_t)(itself + place->patched - place->itself);
        place->itself = itself;
    }
}

/* What decides where to go on is in a range of opcodes of its own. */
static bool
ends_block(const struct instruction *instruction)
{
    return field(opcode_of(instruction), 6, 3) == 5;
}

/* Per instruction: does it begin a block? Jump tables aside. */
static bool *
find_blocks_begins(struct bytes text, struct arena *arena)
{
    uint32_t count = (uint32_t)(text.size / SASS_INSTRUCTION);
    bool *begins = arena_array(arena, (size_t)count + 1, sizeof *begins);

    for (uint32_t i = 0; i < count; i++) {
        struct instruction instruction = read_instruction(text.at + (size_t)i * SASS_INSTRUCTION);
        int64_t target = -1;

        if (!ends_block(&instruction))
            continue;
        begins[i + 1] = true;
        if (opcode_of(&instruction) == OP_BRA || opcode_of(&instruction) == OP_BRA_UNIFORM)
            target = branch_target(&instruction, i);
        else if (opcode_of(&instruction) == OP_BSSY)
            target = meeting_place(&instruction, i);
        if (target >= 0 && target < count)
            begins[target] = true;
    }
    return begins;
}

void
code_map_mark_blocks(struct code_map *map, struct bytes text, struct arena *arena)
{
    if (map->knows_blocks)
        return;
    const bool *begins = find_blocks_begins(text, arena);

    map->knows_blocks = true;
    for (uint32_t i = 0; i < map->places.count; i++)
        map->places.at[i].begins_block = begins[map->places.at[i].sass / SASS_INSTRUCTION];
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
    else
        code_map_mark_blocks(map, text, elfw->arena);
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
