#include "schedule/block_facts.h"

struct block_facts *
block_facts_new(const struct code *code)
{
    struct block_facts *facts = arena_zero(code->arena, sizeof *facts);

    facts->code = code;
    memset(facts->next_read, 0xff, sizeof facts->next_read);
    memset(facts->next_written, 0xff, sizeof facts->next_written);
    facts->conflict = arena_array(code->arena, code->producer_count, sizeof *facts->conflict);
    return facts;
}

/* An entry of the tables is of this block if it lies in it; those of other blocks need no removal. */
static uint32_t
in_block(const struct block_facts *facts, uint32_t instruction)
{
    const struct block *block = &facts->code->blocks[facts->block];
    bool is_inside = instruction >= block->first && instruction <= block->last;

    return is_inside ? instruction : NO_INSTRUCTION;
}

static uint32_t
earlier(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

/* The next instruction that touches one of the registers so that the producer may conflict. */
static uint32_t
next_touch(const struct block_facts *facts, uint32_t producer)
{
    const struct producer *who = &facts->code->producers[producer];
    const struct operands *operands = &facts->code->operands[who->at];
    const struct register_range *ranges = who->reads ? operands->read : operands->written;
    unsigned count = who->reads ? operands->read_count : operands->written_count;
    uint32_t next = NO_INSTRUCTION;

    for (unsigned i = 0; i < count; i++)
        for (unsigned r = ranges[i].first; r < ranges[i].first + (unsigned)ranges[i].count; r++) {
            next = earlier(next, in_block(facts, facts->next_written[r]));
            if (!who->reads)
                next = earlier(next, in_block(facts, facts->next_read[r]));
        }
    return next;
}

/* The tables as they are describe what follows. */
static uint32_t
find_conflict(struct block_facts *facts, uint32_t producer)
{
    uint32_t next = next_touch(facts, producer), last = facts->code->blocks[facts->block].last;

    if (next == NO_INSTRUCTION)
        return next;
    while (next <= last && !conflicts(facts->code, producer, next)) {
        spend(facts->code, 1);
        if (is_spent(facts->code))
            return NO_INSTRUCTION;
        next++;
    }
    return next <= last ? next : NO_INSTRUCTION;
}

static void
note_touched(struct block_facts *facts, uint32_t instruction)
{
    const struct operands *operands = &facts->code->operands[instruction];

    for (unsigned i = 0; i < operands->read_count; i++)
        for (unsigned k = 0; k < operands->read[i].count; k++)
            facts->next_read[operands->read[i].first + k] = instruction;
    for (unsigned i = 0; i < operands->written_count; i++)
        for (unsigned k = 0; k < operands->written[i].count; k++)
            facts->next_written[operands->written[i].first + k] = instruction;
}

static bool
needs_last(const struct block_facts *facts, uint32_t producer)
{
    unsigned class = producer_class(facts->code, producer);

    if (facts->code->producers[producer].reads)
        return false;
    return class == TEXTURE ||
           (class == LONG_LATENCY && facts->conflict[producer] == NO_INSTRUCTION);
}

void
block_facts_begin(struct block_facts *facts, uint32_t block)
{
    const struct code *code = facts->code;

    facts->block = block;
    facts->keeps_last = false;
    for (uint32_t i = code->blocks[block].last + 1; i-- > code->blocks[block].first;) {
        for (uint32_t p = code->first_producer[i]; p < producers_end(code, i); p++) {
            facts->conflict[p] = find_conflict(facts, p);
            facts->keeps_last |= needs_last(facts, p);
        }
        note_touched(facts, i);
    }
}

void
block_facts_add(struct block_facts *facts, uint32_t producer)
{
    const struct block *block = &facts->code->blocks[facts->block];
    uint32_t at = facts->code->producers[producer].at;

    /* Of the block itself, come round a loop: what it conflicts with first was found already. */
    if (at < block->first || at > block->last)
        facts->conflict[producer] = find_conflict(facts, producer);
}
