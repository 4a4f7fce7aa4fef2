/*
 * yields.h: YIELD in a link of PTX for targets before sm_70, see elfw_needs_no_yields.
 *
 * A final link makes all of them NOPs, also those of inputs with newer PTX. A relocatable link leaves that to the final
 * one and has two relocations for each, in SASS alone, whatever the inputs have: behind the others of a function, if
 * that has any.
 */
#ifndef CULD_MERCURY_YIELDS_H
#define CULD_MERCURY_YIELDS_H

#include "elfw/elfw.h"

enum { YIELD_IS_NOP = 0x118, ENTRIES_OF_YIELD = 2 };

/* Once all texts have their SASS. */
void drop_yields(struct elfw *elfw);

/* Where the last YIELD before that place is that the final link has to change; UINT64_MAX: there is none. */
uint64_t yield_before(const struct elfw *elfw, uint32_t section, uint64_t place);
uint32_t count_yields(const struct elfw *elfw, uint32_t section);

#endif
