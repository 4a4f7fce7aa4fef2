/*
 * mirror.h: the folder of links. Links are replaced in one step, so that a build that runs
 * meanwhile finds all of its tools, and only those are that --make-toolkit made.
 */
#ifndef CULD_TOOLKIT_MIRROR_H
#define CULD_TOOLKIT_MIRROR_H

#include "base/diag.h"
#include "toolkit/record.h"

struct mirror {
    struct arena *arena;
    struct diag *diag;
    const char *folder;        /* real path */
    struct toolkit_record now; /* what the links shall show */
    struct toolkit_record old; /* what those of an earlier run show; NULLs: there was none */
};

/* Makes the folder where there is none. Fatal if it holds anything that is not of --make-toolkit. */
void mirror_open(struct mirror *mirror, const char *folder);

/* Links to all that the toolkit has, and takes away those to what it no longer has. */
void mirror_fill(struct mirror *mirror);

#endif
