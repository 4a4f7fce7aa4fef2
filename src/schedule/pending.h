/*
 * pending.h: the producers that may not be done at a place, as lists.
 */
#ifndef CULD_SCHEDULE_PENDING_H
#define CULD_SCHEDULE_PENDING_H

#include "schedule/code.h"

struct producer_list {
    uint32_t *at;
    uint32_t count, capacity;
};

/* What is pending where a walk through a block has come to. */
struct pending {
    const struct code *code;
    const uint8_t *numbers; /* producer -> scoreboard */
    struct producer_list list;
    uint8_t *holds; /* producer -> is it in the list? */
};

void pending_init(struct pending *pending, const struct code *code, const uint8_t *numbers);

void pending_clear(struct pending *pending);
void pending_add_all(struct pending *pending, const struct producer_list *list);

/* Removes what counts on one of these scoreboards. */
void pending_wait(struct pending *pending, unsigned mask);

static inline void
pending_add(struct pending *pending, uint32_t producer)
{
    if (pending->holds[producer])
        return;
    pending->holds[producer] = 1;
    array_push(&pending->list, pending->code->arena, producer);
}

/* How many are pending in the first and not in the second? */
static inline uint32_t
pending_ahead(const struct pending *first, const struct pending *second)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < first->list.count; i++)
        count += !second->holds[first->list.at[i]];
    return count;
}

/* Waits that only the new numbering needs, because the old one had waited for more than it had to: the
   scoreboards of what is pending in `after` alone, and concerns the instruction. */
unsigned additional_waits(const struct pending *before, const struct pending *after,
                          uint32_t instruction, bool concerns_all);

/* Adds to a list what is pending and not in it; true if that was anything. */
bool list_merge(struct producer_list *list, struct pending *pending);

#endif
