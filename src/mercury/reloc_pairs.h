/*
 * reloc_pairs.h: which relocations of SASS go with one of mercury.
 */
#ifndef CULD_MERCURY_RELOC_PAIRS_H
#define CULD_MERCURY_RELOC_PAIRS_H

#include <stdbool.h>
#include <stdint.h>

/* May both fill in the same thing, in an instruction or in data? Of types of mercury that no
   compiler was seen to use, any may be the other one. */
bool reloc_types_fit(uint32_t mercury, uint32_t sass, bool is_code);

/* Does the compiler that is known use that type of mercury in code, or in data? */
bool is_known_in_code(uint32_t mercury);
bool is_known_in_data(uint32_t mercury);

/* Can a relocation of code of mercury have that place? */
bool is_place_of_reloc(uint32_t mercury, uint64_t offset);

#endif
