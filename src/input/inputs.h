/*
 * inputs.h: the read phase. Opens every input and checks that it fits the link, before anything is
 * merged.
 */
#ifndef CULD_INPUT_INPUTS_H
#define CULD_INPUT_INPUTS_H

#include "arch/arch.h"
#include "base/array.h"
#include "base/diag.h"
#include "base/file.h"

struct input {
    const char *name;       /* as given */
    struct input_file file; /* empty for inputs in memory */
    struct bytes image;     /* the device ELF image; empty: contributes nothing */
};

struct inputs {
    ARRAY(struct input) list;
};

/* Opens, classifies and checks a file; fatal if it cannot be linked. */
void inputs_add_file(struct inputs *inputs, struct arena *arena, const struct arch *arch,
                     const char *path);

/* The same for a cubin in memory. */
void inputs_add_image(struct inputs *inputs, struct arena *arena, const struct arch *arch,
                      const char *name, struct bytes image);

void inputs_release(struct inputs *inputs);

#endif
