/*
 * resolve.h: what becomes of one relocation entry.
 */
#ifndef CULD_RELOCATE_RESOLVE_H
#define CULD_RELOCATE_RESOLVE_H

#include "elfw/elfw.h"
#include "relocate/field.h"

enum reloc_verdict { RELOC_DROP, RELOC_KEEP, RELOC_APPLY, RELOC_ZERO };

struct reloc_entry {
    uint64_t offset; /* in the input section */
    uint32_t type;
    uint32_t symbol; /* of the input */
    int64_t addend;
    bool is_rela;
};

struct resolution {
    enum reloc_verdict verdict;
    uint32_t type;  /* as it is written */
    int32_t symbol; /* of a kept entry */
    int64_t addend;
    bool is_unlisted; /* --preserve-relocs does not list it */
    bool ignore_old;  /* REL: the old bits do not count */
    bool names_code;  /* the symbol is a function: the addend is a place in it */
    uint64_t base;    /* part of the addend: where the input's part of a section begins */
    struct reloc_value value;
};

/* Where an entry stands. */
struct reloc_place {
    struct elfw *elfw;
    const struct object *object;
    const struct reloc_piece *piece;
    uint32_t target;   /* section that is patched */
    uint32_t input;    /* of the object, as the link knows it */
    bool is_sass_side; /* of a mercury link */
    uint32_t function; /* whose text it is, 0: other section */
    bool is_line_section;
    bool is_relocatable; /* the output is */
    uint64_t end;        /* offsets of entries lie before it */
};

struct reloc_place place_of(struct elfw *elfw, uint32_t target, const struct reloc_piece *piece);

/* Bytes of an entry of the piece. */
size_t entry_size(const struct reloc_piece *piece);
struct reloc_entry read_entry(const struct reloc_piece *piece, size_t at);
/* Does the entry belong to the table that holds the piece? */
bool is_selected(const struct reloc_place *place, const struct reloc_entry *entry);
struct resolution resolve_entry(const struct reloc_place *place, const struct reloc_entry *entry);

#endif
