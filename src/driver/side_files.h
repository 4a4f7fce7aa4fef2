/*
 * side_files.h: files that a link writes beside its cubin.
 */
#ifndef CULD_DRIVER_SIDE_FILES_H
#define CULD_DRIVER_SIDE_FILES_H

#include "link.h"

/* --register-link-binaries: one line for each input whose host code registers its kernels. */
void add_registration(culd_link *link);

/* --dependency-file: the output and all files it was made from, as a rule of make. */
void add_dependencies(culd_link *link);

#endif
