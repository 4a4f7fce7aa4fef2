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
    unsigned wanted;          /* verdicts, a bit each */
    uint32_t next_piece, end; /* numbers of the next one, and of that behind the last */
    const struct reloc_piece *piece;
    const struct object *object; /* from which it comes */
    size_t next, count;          /* its next entry, and how many it has */
    size_t follower; /* of a table that follows: its entry for the next one that has any */
    struct reloc_entry entry, own; /* `own` of a table that follows: what goes with the entry */
    enum reloc_verdict verdict;
    struct reloc_place place;   /* these are known */
    struct resolution resolved; /* only where the verdict does not say all */
};

/* The table whose entries say what becomes of those of this one. */
static inline const struct section *
deciding_table(const struct elfw *elfw, const struct section *table)
{
    return table->follows_twin ? elfw_section(elfw, table->twin) : table;
}

/* Is there an entry of SASS for one of mercury? */
static inline bool
has_follower(const struct object *object, uint32_t symbol, uint32_t type)
{
    return !has_reserved_symbol(&object->reserved, symbol) && !is_distance_in_code(type);
}

/* Where the entry is in the patched section, as that is now. */
static inline uint64_t
walk_offset(const struct entry_walk *walk, const struct reloc_entry *entry)
{
    uint64_t offset = walk->piece->base + entry->offset;

    elfw_moved_place(walk->elfw, walk->table->target, &offset);
    return offset;
}

void open_walk(struct entry_walk *walk, struct elfw *elfw, uint32_t table, unsigned wanted);

/* Parts of next_entry. Of a table that follows, an entry may have no counterpart; it is read. */
bool open_next_piece(struct entry_walk *walk);
bool take_follower(struct entry_walk *walk, size_t number);
void resolve_again(struct entry_walk *walk);

static inline bool
next_entry(struct entry_walk *walk)
{
    enum { OPEN = 1u << RELOC_KEEP | 1u << RELOC_APPLY | 1u << RELOC_SPLIT };

    do {
        while (walk->next < walk->count) {
            size_t number = walk->next++;
            unsigned verdict = walk->piece->verdicts[number];

            if (walk->table->follows_twin && !take_follower(walk, number))
                continue;
            if (!(walk->wanted >> verdict & 1))
                continue;
            if (!walk->table->follows_twin)
                walk->entry = read_entry(walk->piece, number * entry_size(walk->piece));
            walk->verdict = verdict;
            if (OPEN >> verdict & 1)
                resolve_again(walk);
            return true;
        }
    } while (open_next_piece(walk));
    return false;
}

#endif
