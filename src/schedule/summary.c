#include "schedule/summary.h"

static void
summarise(const struct code *code, uint32_t block, struct block_summary *summary)
{
    uint32_t first = code->blocks[block].first, last = code->blocks[block].last;
    uint32_t last_wait[SCOREBOARDS] = {0}; /* plus 1 */

    for (uint32_t i = code->next_event[first]; i <= last; i = code->next_event[i + 1]) {
        unsigned mask = wait_mask(&code->instructions[i]);
        if (keeps_pending(code, i))
            continue;
        summary->waits |= (uint8_t)mask;
        for (; mask; mask &= mask - 1)
            last_wait[__builtin_ctz(mask)] = i + 1;
    }
    for (uint32_t p = code->first_producer[first]; p < producers_end(code, last); p++)
        if (last_wait[code->numbers[p]] <= code->producers[p].at + 1) {
            summary->issued[summary->issued_count++] = p;
            summary->numbers |= (uint8_t)(1u << code->numbers[p]);
        }
}

struct block_summary *
summarise_blocks(const struct code *code)
{
    struct block_summary *summaries =
        arena_array(code->arena, code->block_count, sizeof *summaries);
    uint32_t *issued =
        arena_alloc(code->arena, ((size_t)code->producer_count + 1) * sizeof *issued);

    for (uint32_t b = 0; b < code->block_count; b++) {
        summaries[b].issued = issued;
        summarise(code, b, &summaries[b]);
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
