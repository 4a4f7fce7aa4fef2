/*
 * follow.h: relocations of SASS in a mercury link.
 *
 * Entries of code and data are paired with those of mercury, and what becomes of an entry is decided
 * there; that of SASS follows.
 */
#ifndef CULD_RELOCATE_FOLLOW_H
#define CULD_RELOCATE_FOLLOW_H

#include "relocate/entry_walk.h"
#include "relocate/relocate.h"
#include "relocate/table_writer.h"

/* Relocate: will the follower of that number be kept? What this takes is made ready, since writing
   is done by several threads. */
bool will_follow(const struct reloc_place *place, size_t number, const struct resolution *resolved);

/* Write: does with an entry of SASS what was done with that of mercury. */
void keep_follower(struct table_writer *writer, const struct entry_walk *walk);
void patch_follower(const struct patched_range *range, const struct entry_walk *walk,
                    uint8_t *bytes);

#endif
