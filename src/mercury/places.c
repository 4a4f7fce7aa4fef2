#include "mercury/code_map.h"
#include "mercury/leaf_kernels.h"
#include "mercury/mercury.h"

/* The place in mercury of a place in the SASS of an input's definition; false: it is not known. */
static bool
mercury_place(struct elfw *elfw, const struct object *object, uint32_t symbol, uint64_t sass,
              uint64_t *mercury)
{
    *mercury = object->elf.symbols[symbol].st_size;
    if (sass == object->elf.sass_symbols[symbol].st_size)
        return true;
    const struct code_map *map = definition_code_map(elfw, object, symbol);
    const struct code_place *place = map ? code_of_sass(map, sass) : NULL;
    if (place)
        *mercury = place->mercury;
    return place != NULL;
}

/* A place in a definition that lost, as one in the winner: that of the next instruction there; 0: none
   begins behind it. */
static uint64_t
replaced_place(struct elfw *elfw, const struct object *object, uint32_t symbol, uint32_t ordinal,
               uint64_t offset)
{
    const struct function *function = elfw_function(elfw, ordinal);
    uint64_t end = elfw_section(elfw, function->text)->size, mercury;
    const struct object *winner = elfw->objects.at[function->object];

    if (!mercury_place(elfw, object, symbol, offset, &mercury))
        return offset;
    if (mercury >= winner->elf.symbols[function->input_symbol].st_size)
        return end;
    const struct code_map *map = function_code_map(elfw, ordinal);
    if (!map)
        return offset == object->elf.sass_symbols[symbol].st_size ? end : offset;
    const struct code_place *place = code_from(map, (uint32_t)mercury);
    bool is_end = !place || place == &map->places.at[map->places.count - 1];
    return is_end ? 0 : place->sass;
}

/* Where a place of a function's SASS is in the output. */
int64_t
mercury_moved_code_place(struct elfw *elfw, const struct object *object, uint32_t symbol,
                         int64_t offset)
{
    uint32_t ordinal = symbol_function(elfw_get_symbol(elfw, object->symbols[symbol]));
    const struct function *function = elfw_function(elfw, ordinal);
    bool is_own = function->object == object->number && object->fates[symbol] != SYMBOL_LOST;

    if (!ordinal || !function->text || !function->object)
        return offset;
    if (is_own)
        return (int64_t)moved_place(function, (uint64_t)offset);
    return (int64_t)replaced_place(elfw, object, symbol, ordinal, (uint64_t)offset);
}

int64_t
mercury_unit_place(const struct elfw *elfw, const struct object *object, int64_t offset)
{
    uint32_t low = 0, high = elfw->moved_units.count;

    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        const struct moved_unit *unit = &elfw->moved_units.at[middle];
        if (unit->object < object->number ||
            (unit->object == object->number && unit->from < (uint64_t)offset))
            low = middle + 1;
        else
            high = middle;
    }
    const struct moved_unit *found = &elfw->moved_units.at[low];
    bool is_unit = low < elfw->moved_units.count && found->object == object->number &&
                   found->from == (uint64_t)offset;
    return is_unit ? (int64_t)found->to : offset;
}
