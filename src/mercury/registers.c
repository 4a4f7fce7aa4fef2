#include "mercury/debug.h"

#include "mercury/leaf_kernels.h"
#include "merge/merge.h"

/*
 * .nv_debug_info_reg_sass says where PTX registers are found: per function its name, a count, and
 * that many records of a number, a name, a register and the places of the code from which and up
 * to which this holds. Of functions that are gone the places are 0.
 */
enum { COUNT_SIZE = 4, NUMBER_SIZE = 4, PLACES_SIZE = 8, REGISTER_SIZE = 4 };

/* Functions of the output by their names, each until an input has described one of that name. */
static struct name_map *
list_functions(struct elfw *elfw)
{
    struct name_map *names = arena_alloc(elfw->arena, sizeof *names);

    name_map_init(names, elfw->arena, 64);
    for (uint32_t f = elfw->functions.count; f-- > 1;) {
        const struct function *function = elfw_function(elfw, f);
        bool is_alias = function->is_alias && !function->is_inner;

        if (!function->is_dead)
            name_at(names, name_map_add(names, elfw_function_name(elfw, f)))->index =
                (int32_t)(is_alias ? elfw_alias_owner(elfw, f) : f);
    }
    return names;
}

/* The first mention of a name counts, whichever of the functions that have it was meant. */
static const struct function *
take_function(struct debug_part *part, const char *name)
{
    struct name *found = name_at(part->names, name_map_find(part->names, name));
    uint32_t ordinal = (uint32_t)found->index;

    found->index = 0;
    return ordinal ? elfw_function(part->elfw, ordinal) : NULL;
}

/* Behind the string that begins there; 0: it has no end. */
static uint64_t
string_end(struct bytes bytes, uint64_t at)
{
    const uint8_t *end = at < bytes.size ? memchr(bytes.at + at, 0, bytes.size - at) : NULL;
    return end ? (uint64_t)(end - bytes.at) + 1 : 0;
}

/* Steps over a record; 0: it is damaged. */
static uint64_t
step_record(struct bytes bytes, uint64_t at, uint8_t *copy, const struct function *function)
{
    uint64_t places = string_end(bytes, at + NUMBER_SIZE);

    if (!places || !bytes_hold(bytes, places, REGISTER_SIZE + PLACES_SIZE))
        return 0;
    if (!function)
        memset(copy + places + REGISTER_SIZE, 0, PLACES_SIZE);
    else if (function->shift)
        move_words(function, copy + places + REGISTER_SIZE, PLACES_SIZE / sizeof(uint32_t));
    return places + REGISTER_SIZE + PLACES_SIZE;
}

void
rebuild_registers(struct debug_part *part)
{
    struct bytes bytes = part->bytes;
    uint8_t *copy = arena_alloc(part->elfw->arena, bytes.size + 1);

    memcpy(copy, bytes.at, bytes.size);
    if (!part->names)
        part->names = list_functions(part->elfw);
    for (uint64_t at = 0; at < bytes.size;) {
        uint64_t count_at = string_end(bytes, at);
        bool fits = count_at && bytes_hold(bytes, count_at, COUNT_SIZE);
        uint32_t count = fits ? read_u32(bytes.at + count_at) : 0;
        const struct function *function =
            fits ? take_function(part, (const char *)bytes.at + at) : NULL;

        uint64_t next = fits ? count_at + COUNT_SIZE : 0;
        for (uint32_t i = 0; next && i < count; i++)
            next = step_record(bytes, next, copy, function);
        if (!next)
            DAMAGED(part->elfw, part->object, part->input, at, "the list of registers is damaged");
        at = next;
    }
    part->bytes.at = copy;
    part->describes_code = true;
}
