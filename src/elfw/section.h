/*
 * section.h: a section of the output under construction.
 *
 * A section is a list of pieces, each a view of input bytes at its place in the section; nothing
 * is copied before the output is written. A relocation section is a list of relocation pieces,
 * each a view of an input table.
 */
#ifndef CULD_ELFW_SECTION_H
#define CULD_ELFW_SECTION_H

#include "base/bytes.h"
#include "cubin/cubin.h"

#include <assert.h>

/* Input bytes that stand at [base, base + size) of a section. */
struct piece {
    const uint8_t *bytes;
    uint64_t base;
    uint64_t size;
    uint32_t object;          /* it comes from; 0: made by the linker */
    uint32_t input : 31;      /* the section of that input */
    bool has_open_frames : 1; /* mercury_fill_frames is due where it is written */
    uint32_t next;
    uint32_t align : 31; /* it was asked to have */
    bool is_loser : 1;   /* constants of a definition that lost: see layout/constants.c */
};

/*
 * An entry without addend that names a section symbol means this input's part of the section. Where
 * that part is not the first one the entry needs an addend: it moves to the table that has them.
 */
enum reloc_selection { SELECT_ALL, SELECT_UNMOVED, SELECT_MOVED };

/* The entries of one input relocation section, or some of them. */
struct reloc_piece {
    struct bytes entries;
    uint64_t base;         /* of the input section in the patched section */
    uint8_t *verdicts;     /* relocate: what becomes of each entry */
    uint32_t object;       /* number of the input they come from */
    uint32_t input;        /* the table in that input */
    uint32_t input_target; /* the patched section in that input */
    uint32_t pair;         /* of mercury: the piece with the same entries for SASS, 0: none */
    uint32_t next;
    bool is_rela;      /* form of the input's entries */
    uint8_t selection; /* enum reloc_selection */
    bool is_stale;     /* of constants that were replaced: it counts no more */
    bool has_patches;  /* relocate: some entry is applied */
    uint32_t written;  /* relocate: entries that the table of the output has */
    bool is_plain; /* relocate: all of them, kept as they are, against the symbols that they name */
};

/* Bytes of an entry of the piece. */
static inline size_t
entry_size(const struct reloc_piece *piece)
{
    return piece->is_rela ? sizeof(Elf64_Rela) : sizeof(Elf64_Rel);
}

static inline size_t
entry_count(const struct reloc_piece *piece)
{
    return piece->entries.size / entry_size(piece);
}

enum section_state {
    SECTION_LIVE,
    SECTION_NAME_ONLY, /* never written, but its name is in the string tables */
    SECTION_DEAD,      /* gone, name included */
};

/* There are tens of thousands: fields are as narrow as what the readers let through. */
struct section {
    uint64_t size;
    uint64_t output_offset; /* finalize */
    uint8_t *contents;      /* bytes made by the linker itself (notes, tables, lists) */
    uint32_t name_id;       /* in elfw.names */
    uint32_t type;
    uint32_t flags;
    uint32_t align;
    uint32_t entsize;
    int32_t symbol;       /* its section symbol */
    uint32_t owner;       /* ordinal of the function it belongs to, 0: none */
    uint32_t next_owned;  /* next section of the same owner */
    uint32_t target;      /* the section sh_info will name: patched, or described, text */
    uint32_t first_piece; /* into elfw.pieces, or elfw.reloc_pieces of a relocation section */
    uint32_t last_piece;
    uint32_t entry_count;      /* relocation section: entries that are written */
    uint32_t twin;             /* the section of the other view of a mercury link, 0: none */
    uint32_t sass;             /* what a mercury link has for its SASS, in elfw.sass_parts */
    uint32_t name_offset;      /* finalize: in the string table of sections */
    uint32_t link, info;       /* finalize */
    uint8_t registers;         /* .text before Hopper: count in the top byte of sh_info */
    uint8_t first_table_type;  /* of the first relocation section made for it */
    uint8_t state : 2;         /* enum section_state */
    bool is_leftover : 1;      /* constants of losing definitions without a section of the winner */
    bool has_no_symbol : 1;    /* although it has a size */
    bool has_image_slots : 1;  /* relocations of texture slots are written into it */
    bool has_patches : 1;      /* relocation section: some entry is applied */
    bool has_stale_pieces : 1; /* relocation section: see reloc_piece */
    bool is_mercury : 1;       /* the one of the mercury view */
    bool shares_bytes : 1;     /* of its twin: it has none of its own in the file */
    bool follows_twin : 1;     /* a table: what becomes of its entries the twin decides */
    bool is_parameter_bank : 1; /* of a mercury link: its symbol stands behind all others */
};

static_assert(sizeof(struct section) == 96, "a section has 96 bytes");

/* Of a section that has another name or another symbol in the SASS view of a mercury link. */
struct sass_part {
    const char *name;     /* NULL: the same */
    uint32_t symbol_name; /* finalize: in the string table of symbols */
    uint32_t tail_symbol; /* finalize: number of its symbol behind all others */
};

#endif
