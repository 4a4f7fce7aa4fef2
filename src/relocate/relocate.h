/*
 * relocate.h: the relocate phase. A relocation is applied (the bytes are patched), kept (written
 * for the loader) or dropped; the kind of its symbol decides first, then its type.
 *
 * relocate_scan decides and counts before the output has its places; relocate_section decides
 * again, the same way, when the bytes are there.
 */
#ifndef CULD_RELOCATE_RELOCATE_H
#define CULD_RELOCATE_RELOCATE_H

#include "elfw/elfw.h"

/* Counts the entries that each relocation section keeps. Fatal on entries that make no sense. */
void relocate_scan(struct elfw *elfw);

/* Patches the bytes of the section that the table relocates and writes the entries kept. */
void relocate_section(struct elfw *elfw, uint32_t table, uint8_t *image);

#endif
