/*
 * implied_forms.h: instructions that mercury has no record of.
 *
 * nvlink reads them from SASS and writes them anew. Bits that an instruction of that opcode does not
 * use are always written the same way: an input that has others there was changed after it was compiled.
 * Which these are was found by changing each bit and linking.
 */
#ifndef CULD_MERCURY_IMPLIED_FORMS_H
#define CULD_MERCURY_IMPLIED_FORMS_H

#include "mercury/code_places.h"

/* Adds such instructions, `count` from number `first` on, to the map of their text. Returns the first of
   them with such a bit, counted from `first`; UINT32_MAX: there is none. `*is_doubtful` becomes true if
   one of them might be damaged otherwise, too: see find_damaged_instruction. */
uint32_t map_implied_forms(struct code_map_maker *maker, uint32_t first, uint32_t count,
                           bool *is_doubtful);

#endif
