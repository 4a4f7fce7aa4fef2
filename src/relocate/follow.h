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

/* Relocate: the follower of that number will be kept, and names code. A place that is not the beginning
   needs a map of it, which is made now, since writing is done by several threads. */
void make_follower_ready(const struct reloc_place *place, size_t number);

/* Write: does with an entry of SASS what was done with that of mercury. */
void keep_follower(struct table_writer *writer, const struct entry_walk *walk);
/* The same for all of a plain piece of mercury. */
void keep_plain_followers(struct table_writer *writer, const struct reloc_piece *piece);
void patch_follower(const struct patched_range *range, const struct entry_walk *walk,
                    uint8_t *bytes);

#endif
