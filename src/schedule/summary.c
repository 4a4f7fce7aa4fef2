#include "schedule/summary.h"

/* Producers are noted one after the other, and stay if they are left pending. */
struct noting {
    uint32_t producer, *issued, count;
    unsigned waits;   /* mask: waited for further on, and what is no scoreboard */
    unsigned numbers; /* mask: left pending */
};

static inline void
note_producer(struct noting *noting, unsigned number)
{
    unsigned is_left = ~(noting->waits >> number) & 1;

    noting->producer -= number != NO_SCOREBOARD;
    noting->issued[noting->count] = noting->producer;
    noting->count += is_left;
    noting->numbers |= is_left << number;
}

/* One block, from its end: what comes later waits. Without branches, since hardly any could be predicted.
   Returns its first event. */
static const struct code_event *
summarise(const struct code *code, uint32_t block, const struct code_event *event,
          struct block_summary *summary)
{
    const struct code_event *first = event_from(code, code->blocks[block].first);
    struct noting noting = {event->first_producer, summary->issued, 0, 1u << NO_SCOREBOARD, 0};

    while (event-- > first) {
        note_producer(&noting, event->write);
        note_producer(&noting, event->read);
        noting.waits |= relied_waits(event);
    }
    summary->issued_count = noting.count;
    summary->waits = (uint8_t)(noting.waits & ALL_SCOREBOARDS);
    summary->numbers = (uint8_t)noting.numbers;
    return first;
}

struct block_summary *
summarise_blocks(const struct code *code)
{
    struct block_summary *summaries =
        arena_array(code->arena, code->block_count, sizeof *summaries);
    uint32_t *issued =
        arena_alloc(code->arena, ((size_t)code->producer_count + 1) * sizeof *issued);
    const struct code_event *event = code->events + code->event_count;

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

/* Joins what is pending at the end of a block to what is where its successors begin; the first block
   to which that is anything new and that was passed already, or behind the last. */
static uint32_t
join_successors(const struct code *code, uint32_t b, const struct producer_sets *entering,
                const uint64_t *passed)
{
    const struct block *block = &code->blocks[b];
    uint32_t first = code->block_count;

    for (uint32_t s = 0; s < block->successor_count; s++) {
        uint32_t next = code->successors[block->first_successor + s];
        if (set_join(set_number(entering, next), passed, entering->words) && next <= b &&
            next < first)
            first = next;
    }
    spend(code, entering->words);
    return first;
}

/* Where something comes round a loop that is new, its blocks are passed again. */
bool
find_entering(const struct code *code, const struct block_summary *summaries,
              const struct producer_sets *by_number, struct producer_sets *entering)
{
    uint32_t blocks = code->block_count + code->exit_count;

    *entering = producer_sets_new(code, (size_t)blocks + 1);
    uint64_t *passed = set_number(entering, blocks);
    for (uint32_t b = 0, again; b < code->block_count; b = again < b + 1 ? again : b + 1) {
        memcpy(passed, set_number(entering, b), entering->words * sizeof *passed);
        summary_pass(&summaries[b], by_number, passed);
        again = join_successors(code, b, entering, passed);
        if (is_spent(code))
            return false;
    }
    return true;
}
