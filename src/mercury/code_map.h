/*
 * code_map.h: where the instructions of the functions of a link are, in mercury and in SASS.
 *
 * nvlink makes what describes SASS from what describes mercury, and takes every place for one in the
 * definition that won, also those of definitions that were replaced.
 */
#ifndef CULD_MERCURY_CODE_MAP_H
#define CULD_MERCURY_CODE_MAP_H

#include "elfw/elfw.h"
#include "mercury/code_places.h"

/* Where a register begins to hold a value, if ptxas lost that place. */
#define LOST_PLACE UINT32_MAX

/* Of the definition that won, with places of the output; NULL: the lengths of its instructions are
   not all known. */
const struct code_map *function_code_map(struct elfw *elfw, uint32_t function);

/* Of the definition of an input, as it came. */
const struct code_map *definition_code_map(struct elfw *elfw, const struct object *object,
                                           uint32_t symbol);

/* Fills in which places begin blocks, by the instructions of `text`; once. */
void code_map_mark_blocks(struct code_map *map, struct bytes text, struct arena *arena);

#endif
