/*
 * inner_calls.h: where calls inside of a kernel come back to, and other offsets in its text that its code holds.
 */
#ifndef CULD_MERCURY_INNER_CALLS_H
#define CULD_MERCURY_INNER_CALLS_H

#include "elfw/elfw.h"
#include "schedule/leaf.h"

/* What an input's tables say of places in code; found when it is first asked for. */
struct place_tables {
    uint32_t *of_texts;      /* section of code -> its table of mercury, 0: none */
    bool has_places_in_data; /* data holds such offsets, too */
    bool are_known;
};

/* Finds the instructions of a kernel that hold offsets in its text; none where they are not all known. */
void find_addresses(struct elfw *elfw, const struct function *function, struct place_tables *tables,
                    struct leaf_kernel *kernel);

#endif
