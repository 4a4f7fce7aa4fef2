/*
 * old_mercury.h: images of CUDA 12.8 and 12.9 with mercury, brought into the form that those of 13
 * have.
 *
 * They have another note about the code, a bit of e_flags for the suffix of the target, and no
 * records of the version of mercury; what is sm_110 today was sm_101. docs/mercury.md has all.
 */
#ifndef CULD_INPUT_OLD_MERCURY_H
#define CULD_INPUT_OLD_MERCURY_H

#include "cubin/elf_view.h"

/* Is it one of those? Sections are all that must be known. */
bool is_old_mercury(const struct elf_view *frame);

/* Gives its header the layout of today. */
void update_mercury_header(Elf64_Ehdr *header);

/* Fatal if it breaks the format. */
struct bytes update_mercury(struct arena *arena, const char *name, struct bytes file);

#endif
