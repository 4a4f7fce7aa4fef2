/*
 * follow.h: relocations of SASS in a mercury link.
 *
 * Entries of code and data are paired with those of mercury, and what becomes of an entry is decided
 * there; that of SASS follows.
 */
#ifndef CULD_RELOCATE_FOLLOW_H
#define CULD_RELOCATE_FOLLOW_H

#include "mercury/capsule.h"
#include "relocate/resolve.h"
#include "relocate/table_writer.h"

struct follower {
    struct table_writer writer;
    const struct section *target; /* of SASS */
    const struct reloc_piece *piece;
    size_t next; /* entry of the piece */
    ARRAY(struct capsule_patch) patches;
};

/* Is there an entry of SASS for this one of mercury? */
bool has_follower(const struct reloc_place *place, const struct reloc_entry *entry);

/* Does with the next entry of SASS what was done with that of mercury. */
void follow_entry(struct follower *follower, const struct reloc_place *place,
                  const struct reloc_entry *entry, const struct resolution *resolved,
                  uint8_t *image);

#endif
