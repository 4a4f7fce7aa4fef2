/*
 * archive.h: the members of a GNU ar archive, ordinary and thin, read as nvlink reads them.
 */
#ifndef CULD_INPUT_ARCHIVE_H
#define CULD_INPUT_ARCHIVE_H

#include "base/arena.h"
#include "base/bytes.h"

struct archive {
    struct bytes file;
    uint64_t next; /* offset of the next member's header */
    struct bytes long_names;
    uint64_t name_end; /* of the last name that was looked for in a header */
    bool is_thin;
};

struct archive_member {
    struct bytes name;     /* its beginning, if it is a very long one */
    struct bytes path;     /* in a thin archive: the file that is the member */
    struct bytes contents; /* empty in a thin archive, as is the next */
    struct bytes rest;     /* the contents and all behind them: what nvlink looks at */
};

bool is_archive(struct bytes file);

/* Takes what follows the first eight bytes as members, whatever those bytes are. */
void archive_open(struct archive *archive, struct bytes file);

enum archive_step {
    ARCHIVE_MEMBER,
    ARCHIVE_END,
    ARCHIVE_UNEXPECTED,    /* a header without a name */
    ARCHIVE_NO_LONG_NAMES, /* a name in a table that is not there */
    ARCHIVE_BAD_LONG_NAME, /* a name outside the table */
    ARCHIVE_CUT,           /* the last member: its beginning is there */
};

/* The next member that is no index and no table of names. */
enum archive_step archive_next(struct archive *archive, struct archive_member *out);

/* In a thin archive: the member's file, beside the archive unless its path says otherwise. */
const char *archive_member_path(struct arena *arena, const char *archive,
                                const struct archive_member *member);

/* nvlink's message for a step that is neither a member nor the end. */
const char *archive_complaint(enum archive_step step);

#endif
