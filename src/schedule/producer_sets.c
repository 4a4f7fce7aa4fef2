#include "schedule/producer_sets.h"

/* An even number of words: two are handled at once. */
static uint32_t
words_of(const struct code *code)
{
    return (code->producer_count / 128 + 1) * 2;
}

struct producer_sets
producer_sets_new(const struct code *code, size_t count)
{
    uint32_t words = words_of(code);

    return (struct producer_sets){arena_array(code->arena, count * words, sizeof(uint64_t)), words};
}

struct producer_sets
producers_by_number(const struct code *code, const uint8_t *numbers)
{
    struct producer_sets sets = producer_sets_new(code, NO_SCOREBOARD + 1);

    for (uint32_t p = 0; p < code->producer_count; p++)
        set_add(set_number(&sets, numbers[p]), p);
    return sets;
}

bool
has_effort_for_sets(const struct code *code, uint32_t sets)
{
    uint64_t blocks = (uint64_t)code->block_count + code->exit_count;

    spend(code, blocks * words_of(code) * sets / 2);
    return !is_spent(code);
}

bool
set_meets_block(const uint64_t *set, const struct code *code, uint32_t block)
{
    uint32_t first = first_producer(code, code->blocks[block].first);
    uint32_t end = producers_end(code, code->blocks[block].last);

    if (first == end)
        return false;
    uint32_t last = end - 1;
    uint64_t from = UINT64_MAX << first % 64, to = UINT64_MAX >> (63 - last % 64);
    if (first / 64 == last / 64)
        return set[first / 64] & from & to;
    uint64_t common = (set[first / 64] & from) | (set[last / 64] & to);
    for (uint32_t w = first / 64 + 1; w < last / 64; w++)
        common |= set[w];
    return common;
}

unsigned
numbers_of_set(const uint64_t *set, const struct producer_sets *by_number)
{
    uint64_t held[SCOREBOARDS] = {0};
    unsigned mask = 0;

    for (uint32_t w = 0; w < by_number->words; w++)
        for (unsigned i = 0; set[w] && i < SCOREBOARDS; i++)
            held[i] |= set[w] & set_number(by_number, i)[w];
    for (unsigned i = 0; i < SCOREBOARDS; i++)
        mask |= (unsigned)(held[i] != 0) << i;
    return mask;
}
