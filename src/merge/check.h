/*
 * check.h: do two mentions of a name agree? What disagrees is reported, nothing is changed.
 */
#ifndef CULD_MERGE_CHECK_H
#define CULD_MERGE_CHECK_H

#include "elfw/elfw.h"

/* A symbol of the input that is about to meet the name map. */
struct incoming {
    uint32_t input;   /* its number in the input */
    uint32_t section; /* in the input; SHN_UNDEF, COMMON_SECTION */
    const Elf64_Sym *symbol;
    const char *name;
    uint32_t spelling; /* id of its name */
    uint32_t name_id;  /* the same if the name may have other mentions, 0: a local's has none */
    int32_t existing;  /* the global or weak symbol of that name, 0: none */
};

struct incoming incoming_symbol(struct elfw *elfw, const struct object *object, uint32_t input);

/* Report what disagrees; false if anything did. */
bool check_function(struct elfw *elfw, const struct object *object, const struct incoming *in);
bool check_object(struct elfw *elfw, const struct object *object, const struct incoming *in);

/* Does the object have contents of its own, rather than zeroes? */
bool is_initialised(const struct elfw *elfw, const struct symbol_record *symbol);

/* The file to blame for the first mention of a name. */
const char *first_file(const struct elfw *elfw, uint32_t name_id);

#endif
