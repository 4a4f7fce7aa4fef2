#include "schedule/summary.h"

/* Producers are noted one after the other, and stay if they are left pending. */
struct noting {
    uint32_t producer, *next;
    unsigned waits, numbers; /* masks: waited for further on, left pending */
};

static inline void
note_producer(struct noting *noting, unsigned number)
{
    unsigned is_one = number != NO_SCOREBOARD, is_left = is_one & ~(noting->waits >> number);

    noting->producer -= is_one;
    *noting->next = noting->producer;
    noting->next += is_left;
    noting->numbers |= is_left << number;
}

/* One block, from its end: what comes later waits. Without branches, since hardly any could be predicted.
   Returns its first event. */
static const uint32_t *
summarise(const struct code *code, uint32_t block, const uint32_t *event,
          struct block_summary *summary)
{
    uint32_t first = code->blocks[block].first;
    struct noting noting = {producers_end(code, code->blocks[block].last), summary->issued, 0, 0};

    while (event > code->events && event[-1] >= first) {
        struct instruction one = code->instructions[*--event];
        note_producer(&noting, write_scoreboard(&one));
        note_producer(&noting, read_scoreboard(&one));
        noting.waits |= keeps_pending(code, *event) ? 0 : wait_mask(&one);
    }
    summary->issued_count = (uint32_t)(noting.next - summary->issued);
    summary->waits = (uint8_t)noting.waits;
    summary->numbers = (uint8_t)noting.numbers;
    return event;
}

struct block_summary *
summarise_blocks(const struct code *code)
{
    struct block_summary *summaries =
        arena_array(code->arena, code->block_count, sizeof *summaries);
    uint32_t *issued =
        arena_alloc(code->arena, ((size_t)code->producer_count + 1) * sizeof *issued);
    const uint32_t *event = code->events + code->event_count;

    for (uint32_t b = code->block_count; b-- > 0;) {
        summaries[b].issued = issued;
        event = summarise(code, b, event, &summaries[b]);
        issued += summaries[b].issued_count;
    }
    return summaries;
}

void
summary_pass(const struct block_summary *summary, const struct producer_sets *by_number,
             uint64_t *pending)
{
    set_wait(pending, by_number, summary->waits);
    for (uint32_t i = 0; i < summary->issued_count; i++)
        set_add(pending, summary->issued[i]);
}
