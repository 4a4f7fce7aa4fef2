/*
 * relocate.h: the relocate phase. A relocation is applied (the bytes are patched), kept (written
 * for the loader) or dropped; the kind of its symbol decides first, then its type.
 *
 * relocate_scan decides and counts before the output has its places; the others do what was decided
 * when the bytes are there. What the decision leaves open is resolved again. In a mercury link entries of SASS follow those of mercury
 * (follow.h).
 */
#ifndef CULD_RELOCATE_RELOCATE_H
#define CULD_RELOCATE_RELOCATE_H

#include "base/crew.h"
#include "elfw/elfw.h"

/* Counts the entries that each relocation section keeps. Fatal on entries that make no sense. */
void relocate_scan(struct elfw *elfw, struct crew *crew);

/* Is this a table whose entries patch the section that it relocates? Known after the scan. */
bool relocate_has_patches(const struct elfw *elfw, uint32_t table);

/* Bytes [from, to) of a section, and the pieces of a table with the entries for them. */
struct patched_range {
    uint64_t from, to;
    uint32_t first_piece, end_piece;
};

/* The first piece of a table. One that follows its twin has those of the twin. */
uint32_t relocate_first_piece(const struct elfw *elfw, uint32_t table);

/* Patches a part of a section by the entries of one of its tables; `bytes` are those of the part. */
void relocate_patch(struct elfw *elfw, uint32_t table, struct patched_range range, uint8_t *bytes);

/* Writes the entries that a table keeps; `bytes` are those of the table. */
void relocate_write_table(struct elfw *elfw, uint32_t table, uint8_t *bytes);

#endif
