/*
 * scan.h: what the scan decides of tables and entries, for those who write them.
 */
#ifndef CULD_RELOCATE_SCAN_H
#define CULD_RELOCATE_SCAN_H

#include "relocate/resolve.h"

/* Verdicts, a bit each. */
enum {
    ALL_KEPT = 1u << RELOC_KEEP | 1u << RELOC_KEEP_PLAIN | 1u << RELOC_SPLIT,
    ALL_APPLIED = 1u << RELOC_APPLY | 1u << RELOC_APPLY_PLAIN,
    ALL_PATCHES = ALL_APPLIED | 1u << RELOC_ZERO | 1u << RELOC_SPLIT,
};

/* A table of a section that stays. */
bool takes_part(const struct elfw *elfw, const struct section *table);

/* --preserve-relocs: does the table list the entry? */
bool is_listed(const struct elfw *elfw, const struct section *table,
               const struct resolution *resolved);

/* Is there an entry for the slot in the table of a bank with slots of images? */
bool fills_slot(const struct elfw *elfw, const struct section *table, uint32_t slot);

#endif
