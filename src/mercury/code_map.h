/*
 * code_map.h: where the instructions of a function are, in mercury and in SASS.
 *
 * nvlink makes what describes SASS from what describes mercury, and takes every place for one in the
 * definition that won, also those of definitions that were replaced.
 */
#ifndef CULD_MERCURY_CODE_MAP_H
#define CULD_MERCURY_CODE_MAP_H

#include "elfw/elfw.h"

/* An instruction of mercury. */
struct code_place {
    uint32_t mercury;
    uint32_t sass;   /* of the first instruction that it becomes */
    uint32_t begin;  /* the same, behind what this link puts before an exit */
    uint32_t itself; /* of the one of these that does what it says */
    uint32_t behind; /* behind that */
};

/* By their places; the last one is the end. */
struct code_map {
    ARRAY(struct code_place) places;
};

/* Of the definition that won, with places of the output; NULL: the lengths of its instructions are
   not all known. */
const struct code_map *function_code_map(struct elfw *elfw, uint32_t function);

/* Of the definition of an input, as it came. */
const struct code_map *definition_code_map(struct elfw *elfw, const struct object *object,
                                           uint32_t symbol);

/* The first instruction at that place or behind it; NULL: there is none. */
const struct code_place *code_from(const struct code_map *map, uint32_t mercury);

/* The instruction at that place; NULL: none begins there. */
const struct code_place *code_at(const struct code_map *map, uint32_t mercury);

/* The instruction of mercury that becomes what is at that place of SASS: that begins there, or is there
   itself. NULL: none is. */
const struct code_place *code_of_sass(const struct code_map *map, uint64_t sass);

/* Of the last instruction before what the next one of mercury becomes; of the end itself. */
uint32_t place_before_next(const struct code_map *map, const struct code_place *place);

/* The instruction of mercury whose place_before_next that is; NULL: there is none. */
const struct code_place *code_before_next(const struct code_map *map, uint64_t sass);

#endif
