/*
 * door.h: is a device image one that CUDA's tools write?
 *
 * The format says more about an image than a link needs: a section's name, type, flags and owner go
 * together, records have fixed forms, symbols lie in sections of their memory space. An image that
 * breaks such a rule is damaged, even where it could be linked; nvlink links it to something else,
 * or dies. The door refuses it by name and place. docs/reliability.md lists the rules.
 *
 * A relocatable link leaves what it took from several inputs as it was: frames of functions that are
 * gone, places of variables that have none. Some rules hold for what compilers write alone.
 */
#ifndef CULD_DOOR_DOOR_H
#define CULD_DOOR_DOOR_H

#include "cubin/elf_view.h"

/* Fatal if a rule is broken. The view is that of the file itself, with the symbols of SASS. */
void door_check(const struct elf_view *view, struct arena *arena);

/* The part of it that needs the file as it was found; of one that is written anew before it is linked. */
void door_check_extents(const struct elf_view *view, struct arena *arena);

#endif
