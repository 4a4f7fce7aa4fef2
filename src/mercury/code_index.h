/*
 * code_index.h: places of mercury, found without a search where many are looked for.
 */
#ifndef CULD_MERCURY_CODE_INDEX_H
#define CULD_MERCURY_CODE_INDEX_H

#include "mercury/code_places.h"
#include "mercury/known_code.h"

/* Places of mercury are multiples of this. */
enum { MERCURY_UNIT = 16 };

/* Makes the index, once; that of a map that is known lives as long as this one. */
void code_map_index(struct code_map *map, const struct known_code *known, struct arena *arena);

/* As code_from, of a map with an index. */
static inline const struct code_place *
indexed_code_from(const struct code_map *map, uint32_t mercury)
{
    if (mercury > code_map_length(map))
        return NULL;
    return &map->places.at[map->index[(mercury + (MERCURY_UNIT - 1)) / MERCURY_UNIT]];
}

/* As code_at. */
static inline const struct code_place *
indexed_code_at(const struct code_map *map, uint32_t mercury)
{
    const struct code_place *place = indexed_code_from(map, mercury);
    return place && place->mercury == mercury ? place : NULL;
}

#endif
