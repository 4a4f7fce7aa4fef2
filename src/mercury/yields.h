/*
 * yields.h: YIELD in a link of PTX for targets before sm_70, see elfw_needs_no_yields.
 *
 * They become NOPs by two relocations each, of SASS alone, which nvlink makes anew whatever the inputs have, also for
 * those with newer PTX: behind the others of a function, and only if that has any. A relocatable link leaves them to the
 * final one.
 */
#ifndef CULD_MERCURY_YIELDS_H
#define CULD_MERCURY_YIELDS_H

#include "elfw/elfw.h"

enum { YIELD_IS_NOP = 0x118, ENTRIES_OF_YIELD = 2 };

/* Once all texts and tables have their SASS. */
void drop_yields(struct elfw *elfw);

/* Where the last YIELD before that place is that the final link has to change; UINT64_MAX: there is none. */
uint64_t yield_before(const struct elfw *elfw, uint32_t section, uint64_t place);
uint32_t count_yields(const struct elfw *elfw, uint32_t section);

#endif
