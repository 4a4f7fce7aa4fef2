#include "mercury/code_index.h"

/* Per unit of mercury, up to the end: the first instruction that begins there or behind it. */
void
code_map_index(struct code_map *map, const struct known_code *known, struct arena *arena)
{
    if (map->index)
        return;
    uint32_t units = code_map_length(map) / MERCURY_UNIT + 1, next = 0;
    bool is_known = map->known && map->known->map == map;
    uint32_t *index = arena_alloc(is_known ? known->arena : arena, units * sizeof *index);

    for (uint32_t unit = 0; unit < units; unit++) {
        while (map->places.at[next].mercury < unit * MERCURY_UNIT)
            next++;
        index[unit] = next;
    }
    map->index = index;
}
