/*
 * pairs.h: what is pending under two numberings, as a set of pairs (old scoreboard, new scoreboard).
 *
 * All that a wait asks of a producer is its scoreboards. So a bit for each pair, in one word, tells as much
 * of what may be pending as a set of producers, as long as nobody asks for their registers.
 */
#ifndef CULD_SCHEDULE_PAIRS_H
#define CULD_SCHEDULE_PAIRS_H

#include "schedule/instruction.h"

/* Eight bits for the new scoreboards, for each of the old ones. */
typedef uint64_t pairs;

#define ONE_OF_EACH ((pairs)0x0101010101010101)
#define SAME_SCOREBOARDS ((pairs)0x8040201008040201)
#define WITHOUT_NEW (ONE_OF_EACH << NO_SCOREBOARD)     /* has no scoreboard any more */
#define WITHOUT_OLD ((pairs)0xff << NO_SCOREBOARD * 8) /* had none */

static inline pairs
pair_of(unsigned old, unsigned new)
{
    return (pairs)1 << (old * 8 + new);
}

static inline pairs
pairs_of_new(unsigned mask)
{
    return mask * ONE_OF_EACH;
}

/* Each bit of the mask becomes eight. */
static inline pairs
pairs_of_old(unsigned mask)
{
    pairs apart = pairs_of_new(mask) & SAME_SCOREBOARDS;

    return ((apart + 0x7f * ONE_OF_EACH) >> 7 & ONE_OF_EACH) * 0xff;
}

/* What may be pending somewhere, under both numberings and under the old one alone. What has no scoreboard
   any more is under both. */
struct pairs_pending {
    pairs in_both, in_old;
};

/* Mask: the new scoreboards of what is on an old one. */
static inline unsigned
new_of_old(pairs set, unsigned old)
{
    return set >> old * 8 & ALL_SCOREBOARDS;
}

/* Mask: the old scoreboards on which anything is. */
static inline unsigned
all_old(pairs set)
{
    unsigned mask = 0;

    for (unsigned i = 0; i < SCOREBOARDS; i++)
        mask |= (unsigned)((set >> i * 8 & UINT8_MAX) != 0) << i;
    return mask;
}

#endif
