#include "relocate/entry_walk.h"

void
open_walk(struct entry_walk *walk, struct elfw *elfw, uint32_t table, unsigned wanted)
{
    const struct section *section = elfw_section(elfw, table);

    walk->elfw = elfw;
    walk->table = section;
    walk->wanted = wanted;
    walk->next_piece = deciding_table(elfw, section)->first_piece;
    walk->end = 0;
    walk->next = walk->count = 0;
}

bool
open_next_piece(struct entry_walk *walk)
{
    while (walk->next_piece != walk->end) {
        const struct reloc_piece *piece = &walk->elfw->reloc_pieces.at[walk->next_piece];

        walk->next_piece = piece->next;
        if (!piece->verdicts)
            continue;
        walk->piece = piece;
        walk->object = walk->elfw->objects.at[piece->object];
        walk->next = walk->follower = 0;
        walk->count = piece->entries.size / entry_size(piece);
        walk->place.piece = NULL;
        return true;
    }
    return false;
}

bool
take_follower(struct entry_walk *walk, size_t number)
{
    const struct reloc_piece *piece = walk->piece;

    walk->entry = read_entry(piece, number * entry_size(piece));
    if (!piece->pair || !has_follower(walk->object, walk->entry.symbol, walk->entry.type))
        return false;
    walk->own = read_entry(&walk->elfw->reloc_pieces.at[piece->pair],
                           walk->follower++ * sizeof(Elf64_Rela));
    return true;
}

void
resolve_again(struct entry_walk *walk)
{
    if (!walk->place.piece) {
        const struct section *decides = deciding_table(walk->elfw, walk->table);
        walk->place = place_of(walk->elfw, decides->target, walk->piece);
    }
    walk->resolved = resolve_entry(&walk->place, &walk->entry);
}
