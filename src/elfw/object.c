#include "elfw/object.h"

#include "base/arena.h"

#include <stdlib.h>

/* Line tables and frames describe one definition of a function; of one that lost they say nothing. */
bool
is_line_section(const char *name)
{
    return !strcmp(name, ".debug_frame") || !strcmp(name, ".debug_line") ||
           !strcmp(name, ".nv_debug_line_sass");
}

void
object_lose_range(struct object *object, struct arena *arena, uint32_t section, uint64_t from,
                  uint64_t to)
{
    struct lost_range range = {.section = section, .from = from, .to = to};

    if ((object->lost_count & (object->lost_count - 1)) == 0) {
        size_t room = object->lost_count ? (size_t)object->lost_count * 2 : 1;
        struct lost_range *grown = arena_array(arena, room, sizeof *grown);
        if (object->lost_count)
            memcpy(grown, object->lost, object->lost_count * sizeof *grown);
        object->lost = grown;
    }
    object->lost[object->lost_count++] = range;
}

static int
compare_lost(const void *a, const void *b)
{
    const struct lost_range *x = a, *y = b;

    if (x->section != y->section)
        return x->section < y->section ? -1 : 1;
    return x->from < y->from ? -1 : x->from > y->from;
}

void
object_order_lost(struct object *object)
{
    if (object->lost_count > 1)
        qsort(object->lost, object->lost_count, sizeof *object->lost, compare_lost);
}

bool
object_lost_offset(const struct object *object, uint32_t section, uint64_t offset)
{
    uint32_t low = 0, high = object->lost_count;

    while (low < high) {
        uint32_t middle = (low + high) / 2;
        const struct lost_range *range = &object->lost[middle];

        if (range->section < section || (range->section == section && range->to <= offset))
            low = middle + 1;
        else
            high = middle;
    }
    return low < object->lost_count && object->lost[low].section == section &&
           object->lost[low].from <= offset;
}
