/*
 * choice.h: which scoreboard a producer gets.
 *
 * The rules are those that ptxas and nvlink follow, as far as they were found by experiment;
 * docs/leaf-kernels.md has them in words.
 */
#ifndef CULD_SCHEDULE_CHOICE_H
#define CULD_SCHEDULE_CHOICE_H

#include "schedule/block_facts.h"

struct situation {
    const struct block_facts *facts;
    const struct pending *pending; /* where the producer is issued, after its waits */
    bool last_was_pending;         /* the last scoreboard, where the block began */
    unsigned avoided;              /* mask: pending where a successor begins, by another way */
    unsigned first;                /* 1 if the first scoreboard belongs to groups of copies */
    bool keeps_apart;              /* from outgoing reads, which it might join */
};

enum choice_kind {
    JOINS,    /* waited for where those are that count on it already */
    IS_ALONE, /* nothing counts on it */
    IS_SHARED /* all are taken; this one costs least */
};

struct choice {
    unsigned number;
    enum choice_kind kind;
};

/* Cycles that it is expected to take; an estimate. */
uint32_t expected_latency(const struct code *code, uint32_t producer);

struct choice choose_scoreboard(const struct situation *situation, uint32_t producer);

#endif
