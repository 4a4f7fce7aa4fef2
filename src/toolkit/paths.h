/*
 * paths.h: what the file system knows of a path. Results live in the arena.
 */
#ifndef CULD_TOOLKIT_PATHS_H
#define CULD_TOOLKIT_PATHS_H

#include "base/arena.h"
#include "options/options.h"

/* Absolute and without links; NULL if there is no such thing. */
const char *path_real(struct arena *arena, const char *path);

/* "/" and "name" are in the folders "/" and ".". */
const char *path_parent(struct arena *arena, const char *path);
const char *path_join(struct arena *arena, const char *folder, const char *name);

bool path_is_program(const char *path);
bool path_is_folder(const char *path); /* no link to one */

/* What a symbolic link says; NULL if the path is none. */
const char *path_link_target(struct arena *arena, const char *path);

/* The names in a folder but "." and "..", in the order of the alphabet. False: it cannot be read. */
bool path_list(struct arena *arena, const char *folder, string_list *names);

#endif
