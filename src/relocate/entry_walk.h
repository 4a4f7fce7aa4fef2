/*
 * entry_walk.h: the entries of a table that have one of some verdicts, one after the other.
 *
 * A table of SASS that follows its twin is walked through together with that one, which decides.
 */
#ifndef CULD_RELOCATE_ENTRY_WALK_H
#define CULD_RELOCATE_ENTRY_WALK_H

#include "relocate/resolve.h"

struct entry_walk {
    struct elfw *elfw;
    const struct section *table;
    unsigned wanted;     /* verdicts, a bit each */
    uint32_t piece, end; /* numbers of the current one, and of that behind the last */
    size_t next;         /* its next entry */
    size_t follower;     /* of a table that follows: its entry for the next one that has any */
    const struct object *object;
    struct reloc_entry entry, own; /* `own` of a table that follows: what goes with the entry */
    enum reloc_verdict verdict;    /* the rest is known only where it says not all */
    struct reloc_place place;
    struct resolution resolved;
};

static inline const struct reloc_piece *
walk_piece(const struct entry_walk *walk)
{
    return &walk->elfw->reloc_pieces.at[walk->piece];
}

/* The table whose entries say what becomes of those of this one. */
static inline const struct section *
deciding_table(const struct elfw *elfw, const struct section *table)
{
    return table->follows_twin ? elfw_section(elfw, table->twin) : table;
}

/* Is there an entry of SASS for one of mercury? Not of distances in code: SASS has them already. */
static inline bool
has_follower(const struct object *object, uint32_t symbol, uint32_t type)
{
    return (!symbol || symbol != object->capacity_symbol) && type != R_MERCURY_PROG_REL32;
}

/* Where the entry is in the patched section, as that is now. */
static inline uint64_t
walk_offset(const struct entry_walk *walk, const struct reloc_entry *entry)
{
    uint64_t offset = walk_piece(walk)->base + entry->offset;

    elfw_moved_place(walk->elfw, walk->table->target, &offset);
    return offset;
}

struct entry_walk open_walk(struct elfw *elfw, uint32_t table, unsigned wanted);
bool next_entry(struct entry_walk *walk);

#endif
