/*
 * retarget.h: distances in code whose instructions get other numbers, and the end of a text.
 */
#ifndef CULD_SCHEDULE_RETARGET_H
#define CULD_SCHEDULE_RETARGET_H

#include "base/bytes.h"
#include "schedule/leaf.h"
#include "schedule/operands.h"

struct renumbering {
    uint32_t count;        /* of instructions */
    const uint32_t *moved; /* for each, and for the end: what jumps there now jumps to this one */
    const struct leaf_kernel *kernel;
};

/* Makes the instruction, number `at` so far, lead where it led. False if it cannot be told. */
bool retarget(const struct renumbering *numbers, struct instruction *instruction, uint32_t at);

/* How many of the numbers of an ascending list are below this one. */
uint32_t count_below(const uint32_t *list, uint32_t count, uint64_t number);

/* How many instructions there are up to the branch to itself that ends the code; false: there is no
   such branch. What follows is padding. */
bool find_code_end(struct bytes text, uint32_t *count);

/* How many there are of a text with so many instructions, with its padding. */
uint32_t padded_count(uint32_t count);
void write_padding(uint8_t *text, uint32_t from, uint32_t to);

#endif
