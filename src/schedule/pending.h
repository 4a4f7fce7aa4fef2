/*
 * pending.h: the producers that may not be done where a walk through a block has come to, under two
 * numberings of the scoreboards at once: that of the kernel as it came, and a new one.
 */
#ifndef CULD_SCHEDULE_PENDING_H
#define CULD_SCHEDULE_PENDING_H

#include "schedule/producer_sets.h"

struct producer_list {
    uint32_t *at;
    uint32_t count, capacity;
};

/* Under one numbering. */
struct pending {
    const uint8_t *numbers;               /* producer -> scoreboard */
    struct producer_list on[SCOREBOARDS]; /* what counts on each */
    unsigned busy;                        /* mask: something counts on it */
};

enum { PENDING_BEFORE = 1, PENDING_AFTER = 2 };

struct pending_pair {
    const struct code *code;
    struct pending before, after;
    uint8_t *holds;  /* producer -> under which numberings it is pending */
    uint32_t ahead;  /* how many are so under the new one alone */
    uint32_t behind; /* under the old one alone, other than one that has no new number */
    uint8_t
        stands_for[SCOREBOARDS]; /* old scoreboard -> mask: the new ones of all that count on it */
};

/* The new scoreboards of what counts on an old one, if all of that is pending under both numberings. */
static inline unsigned
what_stands_for(const struct pending_pair *pair, unsigned number)
{
    return pair->stands_for[number] & ALL_SCOREBOARDS;
}

static inline bool
is_one_at_most(unsigned mask)
{
    return !(mask & (mask - 1));
}

void pair_init(struct pending_pair *pair, const struct code *code, const uint8_t *after);

/* What is pending where a walk begins. */
void pair_begin(struct pending_pair *pair, const uint64_t *before, const uint64_t *after,
                uint32_t words);

void pair_add_before(struct pending_pair *pair, uint32_t producer);
void pair_add_after(struct pending_pair *pair, uint32_t producer);

/* Removes what counts on the scoreboards of a mask. */
void pair_wait_before(struct pending_pair *pair, unsigned mask);
void pair_wait_after(struct pending_pair *pair, unsigned mask);

/* Adds all that is pending to a set. */
void pending_note(const struct pending *pending, uint64_t *set);

/* Waits that only the new numbering needs, because the old one had waited for more than it had to: the
   scoreboards of what is pending under it alone, and concerns the instruction. */
unsigned additional_waits(const struct pending_pair *pair, uint32_t instruction, bool concerns_all);

#endif
