/*
 * order.h: the order in which blocks get their numbers.
 */
#ifndef CULD_SCHEDULE_ORDER_H
#define CULD_SCHEDULE_ORDER_H

#include "schedule/summary.h"

/* All blocks: each behind those from which control comes to it, loops aside. */
const uint32_t *find_order(const struct code *code, const struct block_summary *summaries);

/* The lowest old number that the block leaves pending; SCOREBOARDS: it leaves none. */
static inline unsigned
lowest_left(const struct block_summary *summary)
{
    return (unsigned)__builtin_ctz(summary->numbers | 1u << SCOREBOARDS);
}

#endif
