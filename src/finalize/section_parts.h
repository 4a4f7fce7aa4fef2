/*
 * section_parts.h: a large section that relocations patch, made in parts.
 *
 * Parts begin where a piece of an input does, and so does the list of each table's entries for a
 * part: entries patch bytes of their own input. (A field that begins inside its section and ends
 * outside, which no compiler writes, goes on into the next input's, but not into the next part.)
 */
#ifndef CULD_FINALIZE_SECTION_PARTS_H
#define CULD_FINALIZE_SECTION_PARTS_H

#include "finalize/output.h"
#include "mercury/mercury.h"

struct section_cut {
    uint64_t offset;
    uint32_t piece;   /* the first of the part */
    uint32_t entries; /* in section_parts.entries: of each table the first piece for the part */
};

struct section_parts {
    uint32_t section;
    uint32_t table_count;
    ARRAY(struct section_cut) cuts; /* the last one is the end */
    uint32_t *entries;
};

/* NULL: the section has to be made as a whole. */
const struct section_parts *split_section(const struct output *output, uint32_t section);

static inline uint64_t
section_part_size(const struct section_parts *parts, uint32_t part)
{
    return parts->cuts.at[part + 1].offset - parts->cuts.at[part].offset;
}

/* All bytes of one. */
static inline void
copy_piece(const struct piece *piece, uint8_t *at)
{
    memcpy(at, piece->bytes, piece->size);
    if (piece->has_open_frames)
        mercury_fill_frames(piece, at);
}

/* Pieces [first, end) of a section into its bytes [from, to), zeroes between them. */
void copy_pieces(const struct elfw *elfw, uint32_t first, uint32_t end, uint64_t from, uint64_t to,
                 uint8_t *at);

void make_section_part(const struct output *output, const struct section_parts *parts,
                       uint32_t part, uint8_t *at);

#endif
