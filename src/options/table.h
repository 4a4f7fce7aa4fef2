/*
 * table.h: what there is to know about each option. The parser, the help and the record of the
 * command line all read this table.
 */
#ifndef CULD_OPTIONS_TABLE_H
#define CULD_OPTIONS_TABLE_H

#include "options/options.h"

enum option_kind {
    OPTION_FLAG,
    OPTION_VALUE,
    OPTION_BOOLEAN, /* true or false */
    OPTION_NUMBER,
    OPTION_LIST,
    OPTION_ARCH,
};

enum option_note {
    RECORD = 1,            /* goes into the record of the command line */
    RECORD_WITH_FILES = 2, /* only where file names do; the value as its last component */
    RECORD_NAME_ONLY = 4,  /* without its value */
    HIDDEN = 8,            /* not in the help; takes one dash or two */
    ATTACHED = 16,         /* the value may follow the name at once */
};

struct option {
    const char *long_name;
    const char *short_name; /* "": none */
    enum option_kind kind;
    unsigned notes;
    size_t field;         /* where in struct options: a bool, a string_list or a const char * */
    const char *allowed;  /* the values there are, with blanks between them; NULL: any */
    const char *fallback; /* the value where none is given; NULL: one must be */
    const char *value;    /* name of the value in the help */
    const char *help;
};

/* In the order of the record. */
extern const struct option option_table[];
extern const size_t option_count;

static inline void *
option_field(struct options *options, const struct option *option)
{
    return (char *)options + option->field;
}

static inline const void *
option_const_field(const struct options *options, const struct option *option)
{
    return (const char *)options + option->field;
}

#endif
