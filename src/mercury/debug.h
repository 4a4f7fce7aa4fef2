/*
 * debug.h: sections of the SASS view that describe code piece by piece.
 *
 * Those of mercury are joined from the inputs as they are. Of those of SASS nvlink writes only what
 * belongs to functions that stay, in an order of its own: they are taken apart and put together
 * again, the part of each input for itself.
 */
#ifndef CULD_MERCURY_DEBUG_H
#define CULD_MERCURY_DEBUG_H

#include "cubin/reloc_entry.h"
#include "elfw/elfw.h"

/* What one input brings to such a section. */
struct debug_part {
    struct elfw *elfw;
    const struct object *object;
    uint32_t input;                  /* section of the input, that of the SASS view */
    struct bytes bytes;              /* of the section */
    struct bytes entries;            /* of its table of relocations */
    uint64_t base;                   /* where the part begins in the output's section */
    const uint32_t *pieces;          /* of the section, per input */
    const uint32_t *tables;          /* pieces of its relocations, per input */
    bool *seen;                      /* per function: a part has described it */
    struct frame_mentions *mentions; /* what frames.c has read of all inputs */
    struct name_map *names;          /* functions that registers.c has not seen yet */
    struct name_map *definitions; /* of the part's input, in scratch memory; NULL: not asked for */
    bool notes_units;     /* where units of a line table go is noted: others refer to them */
    bool has_open_frames; /* see struct piece */
    bool describes_code;  /* some part had anything to say about a function */
};

/* Once all sections have their pieces of SASS, and relocations too. */
void mercury_rebuild_debug(struct elfw *elfw);

/* The function that a symbol of the input stands for, if the output has it as this input defines
   it; else 0. A second name stands for the function whose code it names. */
uint32_t described_function(const struct debug_part *part, uint32_t symbol);

/* The same if the input's definition is only one that was replaced: what describes it may stay. */
uint32_t mentioned_function(const struct debug_part *part, uint32_t symbol);

/* Put together anew, for debug.c. */
void rebuild_frames(struct debug_part *part);
/* If that is all there is to do. */
bool copy_plain_frames(struct debug_part *part);
void rebuild_lines(struct debug_part *part);
void rebuild_registers(struct debug_part *part);

/* The relocation at that offset of the part: its symbol, 0: none. Entries stand in any order, so
   they are indexed first. */
struct place_index {
    const struct debug_part *part;
    uint32_t *order; /* entries by offset */
    uint32_t count;
};
/* In scratch memory, which goes with the part. */
struct place_index index_places(const struct debug_part *part);
/* The first entry at or behind the offset, in the order of the index. */
uint32_t first_place(const struct place_index *index, uint64_t offset);
/* The entry itself, by its place in the index. */
static inline const uint8_t *
place_entry(const struct place_index *index, uint32_t number)
{
    return index->part->entries.at + (size_t)index->order[number] * sizeof(Elf64_Rela);
}

#endif
