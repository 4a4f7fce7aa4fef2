/*
 * producer_sets.h: sets of producers, a bit for each, so that what many paths leave pending is joined
 * and waited for by the word.
 */
#ifndef CULD_SCHEDULE_PRODUCER_SETS_H
#define CULD_SCHEDULE_PRODUCER_SETS_H

#include "schedule/code.h"

/* Sets of the same code, one behind the other. */
struct producer_sets {
    uint64_t *at;
    uint32_t words; /* of one set */
};

static inline uint64_t *
set_number(const struct producer_sets *sets, uint32_t number)
{
    return sets->at + (size_t)number * sets->words;
}

/* Empty ones. */
struct producer_sets producer_sets_new(const struct code *code, size_t count);

/* By scoreboard: the producers that have it. */
struct producer_sets producers_by_number(const struct code *code, const uint8_t *numbers);

/* Is there effort enough left for so many sets for each block? Few blocks of real code have many
   producers each, but the memory is bounded by this. */
bool has_effort_for_sets(const struct code *code, uint32_t sets);

static inline void
set_add(uint64_t *set, uint32_t producer)
{
    set[producer / 64] |= (uint64_t)1 << producer % 64;
}

static inline void
set_drop(uint64_t *set, uint32_t producer)
{
    set[producer / 64] &= ~((uint64_t)1 << producer % 64);
}

static inline bool
set_holds(const uint64_t *set, uint32_t producer)
{
    return set[producer / 64] >> producer % 64 & 1;
}

/* Adds what another one has; true if that was anything new. */
static inline bool
set_join(uint64_t *restrict set, const uint64_t *restrict other, uint32_t words)
{
    uint64_t added = 0;

    for (uint32_t w = 0; w < words; w++) {
        added |= other[w] & ~set[w];
        set[w] |= other[w];
    }
    return added;
}

static inline bool
sets_meet(const uint64_t *restrict a, const uint64_t *restrict b, uint32_t words)
{
    uint64_t common = 0;

    for (uint32_t w = 0; w < words; w++)
        common |= a[w] & b[w];
    return common;
}

static inline bool
sets_are_equal(const uint64_t *a, const uint64_t *b, uint32_t words)
{
    return !memcmp(a, b, words * sizeof *a);
}

/* Mask: the scoreboards of all that a set holds. */
unsigned numbers_of_set(const uint64_t *set, const struct producer_sets *by_number);

static inline uint32_t
member_of_word(uint32_t word, uint64_t bits)
{
    return word * 64 + (uint32_t)__builtin_ctzll(bits);
}

/* Does it hold any producer of the block? */
bool set_meets_block(const uint64_t *set, const struct code *code, uint32_t block);

/* Removes what counts on the scoreboards of a mask. */
static inline void
set_wait(uint64_t *restrict set, const struct producer_sets *by_number, unsigned mask)
{
    for (; mask; mask &= mask - 1) {
        const uint64_t *restrict gone = set_number(by_number, (uint32_t)__builtin_ctz(mask));
        for (uint32_t w = 0; w < by_number->words; w++)
            set[w] &= ~gone[w];
    }
}

#endif
