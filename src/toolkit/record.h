/*
 * record.h: the file .culd-toolkit in a folder that --make-toolkit made. It is the folder's mark,
 * and tells which links in it are culd's own.
 */
#ifndef CULD_TOOLKIT_RECORD_H
#define CULD_TOOLKIT_RECORD_H

#include "base/arena.h"

#include <stdbool.h>

#define RECORD_NAME ".culd-toolkit"

struct toolkit_record {
    const char *root; /* of the installed toolkit */
    const char *bin;  /* its folder of programs */
    const char *culd; /* the linker in nvlink's place */
};

/* False if the folder holds no record. */
bool record_read(struct arena *arena, const char *folder, struct toolkit_record *out);

/* False on failure (errno says why). */
bool record_write(struct arena *arena, const char *folder, const struct toolkit_record *record);

#endif
