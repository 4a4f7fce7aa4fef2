/*
 * view.h: the mercury view of an input file.
 *
 * The view has all sections of the file under their numbers. Twins take part in the link under the
 * names and types of their counterparts, which are hidden (SHT_NULL, contents still there), as are
 * the parameter banks, which have no twins. Symbols are those of the mercury table.
 */
#ifndef CULD_MERCURY_VIEW_H
#define CULD_MERCURY_VIEW_H

#include "cubin/elf_view.h"

struct known_code;

/* Like elf_open; what is needed for the checks alone goes to `scratch`. Fatal also where the two views
   of the file do not fit together. What was found sound goes to `known` and is not looked at again; NULL:
   all is. Of a file that `is_trusted` less is asked: see elf_trust. */
void mercury_view_open(struct elf_view *view, const char *file_name, struct bytes file,
                       bool is_trusted, struct arena *arena, struct arena *scratch,
                       struct known_code *known);

/* Like elf_open, of a link that has SASS alone: what there is of mercury is hidden. */
void sass_view_open(struct elf_view *view, const char *file_name, struct bytes file,
                    bool is_trusted, struct arena *arena, struct arena *scratch);

#endif
