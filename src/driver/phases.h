/*
 * phases.h: the parts of init, read and merge that know the whole link. The driver in link.c calls
 * them; what they do to one input or one object is in input/ and merge/.
 */
#ifndef CULD_DRIVER_PHASES_H
#define CULD_DRIVER_PHASES_H

#include "link.h"

/* The output to be, with the linker's own note. */
struct elfw *begin_output(culd_link *link);

/* Opens every input and takes it apart down to its device images. */
void read_inputs(culd_link *link);

/* Merges the images in the order of the command line. */
void merge_inputs(culd_link *link, struct elfw *elfw);

/* Which kernels and variables the host code uses, where all inputs say so. */
void collect_host_references(culd_link *link, struct elfw *elfw);

#endif
