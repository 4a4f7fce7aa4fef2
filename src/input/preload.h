/*
 * preload.h: the files of the command line, read before their turn comes, by several threads where they have
 * to be waited for.
 *
 * Nothing is said here: a file that could not be read is tried again when it is its turn.
 */
#ifndef CULD_INPUT_PRELOAD_H
#define CULD_INPUT_PRELOAD_H

#include "base/crew.h"
#include "base/file.h"

struct preload {
    const char *const *paths;
    struct input_file *files; /* one for each path; without bytes: not there */
    uint32_t count;
    uint32_t first;    /* of those that were read by several threads */
    struct crew *crew; /* the files live in its memory */
};

void preload_files(struct preload *preload, unsigned threads);

/* The file now belongs to the caller, its memory does not. False if it is not there. */
bool preload_take(struct preload *preload, uint32_t number, struct input_file *out);

/* The file that the address lies in, unless it was taken; NULL: none. Fit for a signal handler. */
const char *preload_path_of(const struct preload *preload, const void *address);

void preload_release(struct preload *preload);

#endif
