/*
 * views.h: do the two views of a mercury file say the same?
 */
#ifndef CULD_DOOR_VIEWS_H
#define CULD_DOOR_VIEWS_H

#include "cubin/elf_view.h"

/* Fatal if the sections, one of each view, contradict each other. False if they are frames, and there
   may be more in mercury: those of functions that are gone. */
bool door_check_twins(const struct elf_view *view, struct arena *arena, uint32_t mercury,
                      uint32_t sass);

/* Fatal if both name other places of code, once the view is complete. */
void door_check_places(const struct elf_view *view, struct arena *scratch);

/* Fatal if functions of the release that is known want another finalizer than it writes. */
void door_check_finalizer(const struct elf_view *view, struct arena *scratch);

#endif
