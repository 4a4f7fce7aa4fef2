#include "mercury/leaf_kernels.h"
#include "mercury/mercury.h"

/*
 * Where a place of a function's SASS is in the output. What an input says of its own definition
 * holds if that is the one that counts. Of another one only the end can be told, and that code of
 * the same size which the link shortens is taken for the same code.
 */
int64_t
mercury_code_place(const struct elfw *elfw, const struct object *object, uint32_t symbol,
                   int64_t offset)
{
    if (!offset)
        return 0;
    uint32_t ordinal = symbol_function(elfw_get_symbol(elfw, object->symbols[symbol]));
    const struct function *function = elfw_function(elfw, ordinal);
    bool is_own = function->object == object->number && object->fates[symbol] != SYMBOL_LOST;

    bool is_shifted = function->shift && (is_own || object->elf.sass_symbols[symbol].st_size ==
                                                        function->shift->kernel.text.size);

    if (is_shifted && offset > 0)
        return (int64_t)moved_place(function, (uint64_t)offset);
    if (!ordinal || !function->text || is_own ||
        (uint64_t)offset != object->elf.sass_symbols[symbol].st_size)
        return offset;
    return (int64_t)elfw_section(elfw, function->text)->size;
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
