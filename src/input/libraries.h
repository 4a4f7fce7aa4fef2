/*
 * libraries.h: what -l names, searched for in the folders of -L and of LIBRARY_PATH.
 */
#ifndef CULD_INPUT_LIBRARIES_H
#define CULD_INPUT_LIBRARIES_H

#include "base/array.h"
#include "base/file.h"
#include "options/options.h"

struct library {
    const char *path;
    struct input_file file; /* taken over by the inputs */
};

typedef ARRAY(struct library) library_list;

/* The libraries that are found, in the order of -l. One that is not found is left out in silence;
   one for another host is passed over with a warning. */
void find_libraries(struct arena *arena, const struct options *options, library_list *found);

void libraries_release(library_list *libraries);

#endif
