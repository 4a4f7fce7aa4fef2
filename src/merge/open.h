/*
 * open.h: an image becomes an object, as far as that can be said without the others.
 */
#ifndef CULD_MERGE_OPEN_H
#define CULD_MERGE_OPEN_H

#include "elfw/object.h"

struct opening {
    bool is_mercury; /* the link is */
    bool is_trusted; /* nothing is asked that was learned from files of one release alone */
    struct arena *arena;
    struct arena *scratch;
    struct notes_room *room;  /* of nothing else until the object is merged */
    struct known_code *known; /* of mercury; NULL: nothing is */
};

/* The view alone, checked. Fatal (by the diag of the arena) if the image is damaged. */
void open_view(struct elf_view *view, const char *name, struct bytes image,
               const struct opening *opening);

/* Names are hashed, but not looked up. */
struct object *open_object(const char *name, struct bytes image, const struct opening *opening);

/* Sections of another view take no part; symbols of sections have no name of their own. */
static inline bool
section_has_name(const struct elf_view *elf, uint32_t section)
{
    return elf->sections[section].sh_type != SHT_NULL;
}

static inline bool
symbol_has_name(const struct elf_view *elf, uint32_t symbol)
{
    return ELF64_ST_TYPE(elf->symbols[symbol].st_info) != STT_SECTION;
}

#endif
