/*
 * constant_entries.h: relocations of constants that move into the banks of kernels.
 */
#ifndef CULD_LAYOUT_CONSTANT_ENTRIES_H
#define CULD_LAYOUT_CONSTANT_ENTRIES_H

#include "elfw/elfw.h"

/* The contents of section `index` have moved to `offset` of each kernel's bank: so do the entries of
   its relocation tables, which end here. */
void move_constant_entries(struct elfw *elfw, uint32_t index, const uint32_t *kernels,
                           uint32_t count, uint64_t offset);

/* Of a table, or of all that have some: decides which entries of replaced constants stay. */
void settle_stale_entries(struct elfw *elfw, uint32_t table);
void settle_all_stale_entries(struct elfw *elfw);

#endif
