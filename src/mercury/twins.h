/*
 * twins.h: the two views of a file for sm_100 and later.
 *
 * A section of SASS and its twin in mercury describe the same thing. A link reads the mercury view
 * of its inputs, in which twins stand under the names and types that older files have for them,
 * and writes both views.
 */
#ifndef CULD_MERCURY_TWINS_H
#define CULD_MERCURY_TWINS_H

#include "base/arena.h"
#include "base/bytes.h"
#include "cubin/cubin.h"

struct twin_kind {
    uint32_t type;        /* of the twin */
    uint32_t plain_type;  /* as which it takes part in the link */
    uint64_t plain_flags; /* added for the link */
    uint64_t align;       /* of the twin; 0: that of its counterpart */
};

/* How a twin of that type is read; NULL for a type that no twin has. */
const struct twin_kind *twin_kind_of(uint32_t type);

/* The kind of the twin of a section of the link; NULL if it has none. */
const struct twin_kind *twin_kind_for(uint32_t plain_type, uint64_t flags);

/* How much of a twin's name stands before the name that it has in the link; 0: it is no twin's. Names may
   follow it. */
size_t twin_prefix(struct bytes name);

/* What a name of the mercury view is in the SASS view: constant banks are numbered there. Returns
   the name itself where it is the same. */
const char *sass_name(struct arena *arena, const char *name);

/* Writes that in the place of the name, zeroes where it is shorter. */
void write_sass_name(const char *name, size_t length, uint8_t *at);

/* Is `name` what sass_name would make of `mercury_name`? */
bool is_sass_name_of(const char *name, const char *mercury_name);

#endif
