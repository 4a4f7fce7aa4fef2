/*
 * linkers.h: one link by culd, in this process, and by nvlink, as a process of its own.
 */
#ifndef SYSTEMATIC_LINKERS_H
#define SYSTEMATIC_LINKERS_H

#include "base/bytes.h"

enum { MOST_WORDS = 64 };

/* A link: words of the command line; those that are inputs have a file. */
struct link_case {
    const char *name;
    char *words[MOST_WORDS];
    struct bytes files[MOST_WORDS]; /* of words that are inputs, else empty */
    unsigned count;
};

/* A link in which the file of one word is another one. */
struct damaged_link {
    const struct link_case *link;
    unsigned word; /* `count`: none is damaged */
    struct bytes file;
};

/* 0, the status, or a signal below 0; the output, to be freed, has no bytes where there is none. */
struct result {
    int status;
    struct bytes output;
};

struct result culd_links(const struct damaged_link *damaged);

/* In `folder`, where the damaged file and the output are written. */
struct result nvlink_links(const struct damaged_link *damaged, const char *nvlink,
                           const char *folder);

void result_release(struct result *result);

#endif
