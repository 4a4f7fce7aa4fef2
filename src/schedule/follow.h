/*
 * follow.h: the old and the new numbering, side by side on their way through the code.
 */
#ifndef CULD_SCHEDULE_FOLLOW_H
#define CULD_SCHEDULE_FOLLOW_H

#include "schedule/choice.h"

/* One numbering. */
struct side {
    struct pending *pending; /* of the pair */
    struct scene scene;
    struct producer_sets outgoing; /* block -> what is pending at its end */
    uint8_t *outgoing_numbers;     /* and its scoreboards */
    uint64_t *incoming;            /* what is pending where the block begins */
    uint8_t *entries;          /* block -> scoreboards pending where it begins, as far as known */
    struct producer_list late; /* waited for by the block's last instruction, for no need */
    bool last_was_pending;
    unsigned avoided;
};

struct allocation {
    const struct code *code;
    struct block_facts *facts;
    uint8_t *numbers;               /* the new ones */
    uint8_t *overdue, *not_overdue; /* see new_scoreboards */
    uint32_t *issued_at;            /* producer -> cycles since its block began */
    uint32_t delay;                 /* of those, that were spent waiting, where a walk is */
    uint32_t settled[SCOREBOARDS];  /* when all that the block issued on a new scoreboard is done */
    uint8_t *is_done;               /* blocks */
    uint8_t *is_in_step;            /* blocks at whose end both numberings are the same */
    const struct block_summary *summaries;
    struct producer_sets by_number; /* as it came */
    struct producer_sets entering;  /* block -> what is pending where it begins, as it came */
    unsigned waited;                /* scoreboards that the block has waited for, as it came */
    unsigned coming_round; /* those of what is pending where the block begins, but not known yet */
    struct pending_pair pair;
    struct side before, after;
    unsigned first; /* scoreboard that is free to use */
    uint32_t block;
    bool begins_loop; /* control comes to it from a block that has no numbers yet */
};

/* Frees the scoreboards that an instruction waits for: in the old numbering as it came, in the new
   one what that stood for. */
void follow_waits(struct allocation *allocation, const struct code_event *event);

/* The same of an instruction that does not wait, where something is pending under the new numbering alone. */
void follow_new_waits(struct allocation *allocation, uint32_t at);

/* What is on the scoreboards of the mask is waited for at the end of the block, for no need. */
void remember_late(const struct allocation *allocation, struct side *side, unsigned mask);

/* The instruction is held back until the new scoreboards of the mask are free. */
void hold_back(struct allocation *allocation, uint32_t at, unsigned mask);

/* A producer is issued, under the new numbering. */
void follow_issue(struct allocation *allocation, uint32_t producer);

/* The walk has come to the end of the block, which is that instruction. */
void follow_end(struct allocation *allocation, uint32_t at);

#endif
