/*
 * summary.h: what a block does to what is pending, as a whole.
 */
#ifndef CULD_SCHEDULE_SUMMARY_H
#define CULD_SCHEDULE_SUMMARY_H

#include "schedule/producer_sets.h"

struct block_summary {
    uint32_t *issued; /* producers that the block issues and does not wait for */
    uint32_t issued_count;
    uint8_t waits;   /* mask: what was pending on these is done at the end */
    uint8_t numbers; /* mask: scoreboards of those that it issues */
};

/* Of all blocks, under the scoreboards of the code as it came. */
struct block_summary *summarise_blocks(const struct code *code);

/* What is pending at the end of a block, of what is pending where it begins; replaces it. */
void summary_pass(const struct block_summary *summary, const struct producer_sets *by_number,
                  uint64_t *pending);

/* What is pending where each block begins, of those too that are not looked at; false if it is too much
   work. */
bool find_entering(const struct code *code, const struct block_summary *summaries,
                   const struct producer_sets *by_number, struct producer_sets *entering);

/* The same of the scoreboards alone. */
static inline unsigned
summary_pass_numbers(const struct block_summary *summary, unsigned numbers)
{
    return (numbers & ~(unsigned)summary->waits) | summary->numbers;
}

/* What is done behind an event that waits. */
static inline unsigned
relied_waits(const struct code_event *event)
{
    return event->marks & KEEPS_PENDING ? 0 : event->waits;
}

#endif
