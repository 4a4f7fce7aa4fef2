#include "elfw/object.h"

/* Line tables and frames describe one definition of a function; of one that lost they say nothing. */
bool
is_line_section(const char *name)
{
    return !strcmp(name, ".debug_frame") || !strcmp(name, ".debug_line") ||
           !strcmp(name, ".nv_debug_line_sass");
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
