/*
 * check.h: the parts of door_check, one for each kind of thing in an image.
 */
#ifndef CULD_DOOR_CHECK_H
#define CULD_DOOR_CHECK_H

#include "base/array.h"
#include "base/diag.h"
#include "door/door.h"
#include "elfw/object.h"

#include <string.h>

struct door {
    const struct elf_view *view;
    struct arena *arena;
    uint32_t common_records;  /* .nv.info, once it was checked */
    struct known_code *known; /* once the view is complete; NULL: nothing is */
    struct view_facts *facts; /* ... */
    const bool *branches;     /* ... of texts with jump tables: are their targets said? */
};

/* The offset of a section's header, for messages about it. */
static inline uint64_t
section_header_at(const struct door *door, uint32_t section)
{
    return door->view->header.e_shoff + (uint64_t)section * sizeof(Elf64_Shdr);
}

#define REFUSE_SECTION(door, section, ...)                                                         \
    diag_damaged((door)->arena->diag, (door)->view->file_name,                                     \
                 elf_section_name((door)->view, section), section_header_at(door, section),        \
                 __VA_ARGS__)

/* For what stands at an offset of a section's contents. */
#define REFUSE_CONTENTS(door, section, offset, ...)                                                \
    diag_damaged((door)->arena->diag, (door)->view->file_name,                                     \
                 elf_section_name((door)->view, section),                                          \
                 (door)->view->sections[section].sh_offset + (offset), __VA_ARGS__)

void check_sections(const struct door *door);
void check_extents(const struct door *door);

/* Do two rows, of `step` bytes each, begin with the same number of `width` bytes? */
bool has_repeats(const struct door *door, struct bytes rows, size_t step, size_t width);

/* Of lists of as many rows that begin with a number of 8 bytes: is the smallest of both in the same row, and
   the next one, and so on? */
bool has_same_order(const struct door *door, struct bytes rows, struct bytes others, size_t step);

/* Do two relocations of data, in entries of `step` bytes, fill in the same byte? */
bool has_shared_fields(const struct door *door, struct bytes entries, size_t step);

void check_symbols(const struct door *door);
void check_records(const struct door *door, uint32_t section);
/* One of a function's, by itself. */
struct info_record;
void check_record(const struct door *door, uint32_t section, const struct info_record *record,
                  size_t at);
/* Are there objects in it that check_constants looks at? */
bool has_constants_of_code(const Elf64_Shdr *section);
void check_constants(const struct door *door);
void check_compat(const struct door *door, uint32_t section);
/* Of functions and data that other programs share. */
void check_unified_entries(const struct door *door, uint32_t section);
void check_note(const struct door *door, uint32_t section);
void check_frames(const struct door *door, uint32_t section);
/* Those of mercury, whose functions have these instructions, by their texts. False if there may be more
   than in SASS: those of functions that are gone. */
struct code_map;
bool check_mercury_frames(const struct door *door, uint32_t section, uint32_t table,
                          struct code_map *const *maps);
/* Are the relocations of frames of mercury those of SASS? */
void check_entries_of_frames(const struct door *door, uint32_t section);
/* The instructions of the function that the symbol begins; NULL: they are not known. */
struct code_map *map_of_symbol(const struct elf_view *view, struct code_map *const *maps,
                               uint32_t symbol);
/* Do two frames say the same, each at the same instructions, and nothing that no tool says? False also
   where that takes a closer look. */
bool is_plainly_same_frame(const struct code_map *map, struct bytes mercury, struct bytes sass);
/* Do they say the same, wherever that is? */
bool says_same_frame(struct bytes mercury, struct bytes sass);
/* A table of mercury that has one of SASS beside it. Against the `reserved` symbols mercury alone has
   relocations. */
void check_relocation_twins(const struct door *door, uint32_t mercury, struct code_map *const *maps,
                            const struct reserved_symbols *reserved);
/* Where frames of mercury stand first that contradict those of SASS; SIZE_MAX: none do. Says whether
   there are as many. */
size_t differing_frame(struct bytes mercury, struct bytes sass, bool *as_many);
/* Room for where so many parts of a section of SASS end, which the view keeps. */
struct section_marks *note_marks(const struct door *door, uint32_t section, uint32_t count);
/* Lines of mercury, and the table of their relocations, 0: there is none. */
void check_lines(const struct door *door, uint32_t section, uint32_t table,
                 struct code_map *const *maps);
struct line_unit;
/* Of a unit in the lines, which are the contents of the section. */
void check_line_header(const struct door *door, uint32_t section, struct bytes contents,
                       const struct line_unit *unit);
/* Where units of line tables begin in both views; found when they are first asked for. */
struct line_units {
    ARRAY(struct unit_places) list;
    bool are_known;
};
/* Relocations of what is the same in both views for debuggers. */
void check_debug_places(const struct door *door, uint32_t table, struct code_map *const *maps,
                        struct line_units *units);
/* Registers for debuggers of mercury, and the list of their types, 0: there is none. */
void check_registers(const struct door *door, uint32_t section, uint32_t types,
                     struct code_map *const *maps);
void check_relocations(const struct door *door, uint32_t section);
/* Of sections of code with two tables. */
void check_relocation_pairs(const struct door *door);
void check_callgraph(const struct door *door, uint32_t section);
void check_prototypes(const struct door *door, uint32_t section);

#endif
