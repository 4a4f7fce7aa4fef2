/*
 * choice.h: which scoreboard a producer gets.
 *
 * The rules are those that ptxas and nvlink follow, as far as they were found by experiment;
 * docs/leaf-kernels.md has them in words.
 */
#ifndef CULD_SCHEDULE_CHOICE_H
#define CULD_SCHEDULE_CHOICE_H

#include "schedule/block_facts.h"

/* The scoreboards of one numbering as a producer finds them; masks have a bit for each. Kept up while a
   block is walked through. */
struct scene {
    unsigned outgoing_reads; /* has something of this block that is not waited for in it */
    unsigned outgoing_writes;
    uint32_t next_wait[SCOREBOARDS]; /* instruction, or NO_INSTRUCTION */
    uint32_t soonest;                /* none of these is before that */
    uint32_t done
        [SCOREBOARDS]; /* when all of this block that count on it should be done; see code.issued */
};

/* Where a block begins, once the facts of what is pending are known. */
void scene_begin(struct scene *scene, const struct pending *pending,
                 const struct block_facts *facts);

/* A producer that is to get a scoreboard, or has got one. */
struct candidate {
    uint32_t at;       /* the instruction */
    uint32_t conflict; /* see block_facts */
    uint32_t latency;
    unsigned class; /* enum producer_class */
    bool reads;
};

struct candidate candidate_of(const struct block_facts *facts, uint32_t producer);

/* It was issued on that scoreboard. */
void scene_issue(struct scene *scene, const struct code *code, const struct candidate *candidate,
                 unsigned number);

/* The scoreboards of a mask were waited for. */
void scene_wait(struct scene *scene, unsigned mask);

/* The walk has come to this instruction: waits up to it are past. */
void scene_advance(struct scene *scene, const struct pending *pending,
                   const struct block_facts *facts, uint32_t now);

struct situation {
    const struct block_facts *facts;
    const struct pending *pending; /* where the producer is issued, after its waits */
    const struct scene *scene;     /* the same place */
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

struct choice choose_scoreboard(const struct situation *situation,
                                const struct candidate *candidate);

#endif
