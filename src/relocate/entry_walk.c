#include "relocate/entry_walk.h"

struct entry_walk
open_walk(struct elfw *elfw, uint32_t table, unsigned wanted)
{
    struct entry_walk walk = {.elfw = elfw, .table = elfw_section(elfw, table), .wanted = wanted};

    walk.piece = deciding_table(elfw, walk.table)->first_piece;
    return walk;
}

static void
open_piece(struct entry_walk *walk, const struct reloc_piece *piece)
{
    walk->object = walk->elfw->objects.at[piece->object];
    walk->follower = 0;
    walk->place.piece = NULL;
}

/* Takes the entry of a table that follows that goes with this one; false: there is none. */
static bool
take_follower(struct entry_walk *walk, const struct reloc_piece *piece, size_t at, size_t *own)
{
    uint64_t info = read_u64(piece->entries.at + at + sizeof(uint64_t));

    if (!piece->pair || !has_follower(walk->object, (uint32_t)(info >> 32), (uint32_t)info))
        return false;
    *own = walk->follower++ * sizeof(Elf64_Rela);
    return true;
}

/* Where the verdict does not say all. */
static void
resolve_again(struct entry_walk *walk, const struct reloc_piece *piece)
{
    enum { OPEN = 1u << RELOC_KEEP | 1u << RELOC_APPLY | 1u << RELOC_SPLIT };

    if (!(OPEN >> walk->verdict & 1))
        return;
    if (!walk->place.piece) {
        const struct section *decides = deciding_table(walk->elfw, walk->table);
        walk->place = place_of(walk->elfw, decides->target, piece);
    }
    walk->resolved = resolve_entry(&walk->place, &walk->entry);
}

bool
next_entry(struct entry_walk *walk)
{
    bool follows = walk->table->follows_twin;

    for (; walk->piece != walk->end; walk->next = 0) {
        const struct reloc_piece *piece = walk_piece(walk);
        size_t size = entry_size(piece), count = piece->verdicts ? piece->entries.size / size : 0;

        if (walk->next == 0 && count)
            open_piece(walk, piece);
        while (walk->next < count) {
            size_t i = walk->next++, own = 0;
            if (follows && !take_follower(walk, piece, i * size, &own))
                continue;
            if (!(walk->wanted >> piece->verdicts[i] & 1))
                continue;
            walk->entry = read_entry(piece, i * size);
            if (follows)
                walk->own = read_entry(&walk->elfw->reloc_pieces.at[piece->pair], own);
            walk->verdict = piece->verdicts[i];
            resolve_again(walk, piece);
            return true;
        }
        walk->piece = piece->next;
    }
    return false;
}
