/*
 * weak.h: which of two weak definitions of a function wins, and what goes with the loser.
 *
 * Fewer registers win, then the newer virtual architecture, then the first. A strong definition
 * beats any weak one.
 */
#ifndef CULD_MERGE_WEAK_H
#define CULD_MERGE_WEAK_H

#include "elfw/elfw.h"

/* Does the definition in this input take the place of the existing weak one? */
bool weak_is_replaced(struct elfw *elfw, const struct object *object, uint32_t input_symbol,
                      uint32_t ordinal);

/* Removes what the old definition brought: relocations of its text, debug relocations against it,
   .nv.info records, OCG constants. `object` is the input that replaces it. */
void drop_weak_definition(struct elfw *elfw, uint32_t ordinal, uint32_t object);

#endif
