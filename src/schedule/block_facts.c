#include "schedule/block_facts.h"

struct block_facts *
block_facts_new(const struct code *code)
{
    struct block_facts *facts = arena_zero(code->arena, sizeof *facts);

    facts->code = code;
    facts->has_slow_results = has_slow_results(code);
    facts->conflict = arena_alloc(code->arena, (size_t)code->producer_count * sizeof(uint32_t));
    facts->known_in = arena_array(code->arena, code->producer_count, sizeof *facts->known_in);
    facts->free_until = arena_array(code->arena, code->producer_count, sizeof *facts->free_until);
    return facts;
}

static uint32_t
earlier(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

/* Blocks are visited in the order of the text, so that what is left in the tables of others lies
   before this one, and wraps round to be later than anything. */
static uint32_t
next_in_block(const struct block_facts *facts, const uint32_t *next, struct register_range range)
{
    uint32_t first = facts->code->blocks[facts->block].first + 1, earliest = UINT32_MAX;

    for (unsigned k = 0; k < range.count; k++)
        earliest = earlier(earliest, next[range.first + k] - first);
    return earliest;
}

/* Registers that the producer also writes are guarded by its write scoreboard. */
static uint32_t
next_overwriting(const struct block_facts *facts, const struct operands *producer)
{
    uint32_t earliest = UINT32_MAX;
    bool may_write_own = producer->read_sieve & producer->written_sieve;

    for (unsigned i = 0; i < producer->read_count; i++) {
        struct register_range range = producer->read[i];
        if (!is_read_late(producer->traits.flags, range.first))
            continue;
        if (!may_write_own) {
            earliest = earlier(earliest, next_in_block(facts, facts->next_written, range));
            continue;
        }
        for (unsigned k = 0; k < range.count; k++) {
            struct register_range one = {(uint16_t)((range.first + k) & 0xfff), 1};
            if (!ranges_overlap(&one, 1, producer->written, producer->written_count))
                earliest = earlier(earliest, next_in_block(facts, facts->next_written, one));
        }
    }
    return earliest;
}

/* The next instruction that reads or writes one of the predicates, behind that one if it is in the block. */
static uint32_t
next_touching_predicates(const struct block_facts *facts, uint32_t at, unsigned predicates)
{
    const struct code *code = facts->code;
    const struct block *block = &code->blocks[facts->block];
    uint32_t i = is_in_block(code, at, facts->block) ? at + 1 : block->first;

    for (; i <= block->last && !is_spent(code); i++) {
        spend(code, 1);
        if (touches_all(code, i) || predicates_touched(&code->instructions[i]) & predicates)
            return i - block->first;
    }
    return UINT32_MAX;
}

static uint32_t
next_touching(const struct block_facts *facts, uint32_t at)
{
    const struct instruction *producer = &facts->code->instructions[at];
    uint32_t first = facts->code->blocks[facts->block].first + 1;
    uint32_t earliest = distance_of_results(producer, facts->next_touched, first);
    unsigned predicates = predicates_written(producer);

    return predicates ? earlier(earliest, next_touching_predicates(facts, at, predicates))
                      : earliest;
}

/* Within a block, operands are read in the order of issue by what stands in one queue: who overwrites
   them there does not wait. Of 1,500 such pairs in compiled kernels none does, of others all do. */
static bool
are_in_order(const struct instruction *reader, const struct instruction *writer)
{
    enum { LDS = 0x984, LDG = 0x981, SHFL = 0xf89, DFMA = 0x22b, TEX = 0xf60 };
    static const uint16_t pairs[][2] = {{0x388, LDS}, {0x988, LDS}, {0x986, LDS}, {0x986, SHFL},
                                        {LDG, LDG},   {0x9a3, LDG}, {DFMA, DFMA}, {TEX, TEX}};

    for (unsigned i = 0; i < COUNT_OF(pairs); i++)
        if (pairs[i][0] == opcode_of(reader) && pairs[i][1] == opcode_of(writer))
            return true;
    return false;
}

/* Does the instruction overwrite what the producer of the block has read by then? */
static bool
comes_in_order(const struct block_facts *facts, uint32_t producer, uint32_t instruction)
{
    const struct code *code = facts->code;
    uint32_t at = code->producers[producer].at;

    return at < instruction && is_in_block(code, at, facts->block) &&
           are_in_order(&code->instructions[at], &code->instructions[instruction]);
}

/* The tables as they are describe what follows. */
static uint32_t
find_conflict(struct block_facts *facts, uint32_t producer)
{
    const struct code *code = facts->code;
    const struct producer *who = &code->producers[producer];
    const struct block *block = &code->blocks[facts->block];
    uint32_t distance = who->reads ? next_overwriting(facts, operands_at(code, who->at))
                                   : next_touching(facts, who->at);

    if (distance > block->last - block->first)
        return NO_INSTRUCTION;
    uint32_t next = block->first + distance;
    /* What writes a register only where the producer does not, or when it has been read anyway, is no
       conflict: look further. */
    bool is_certain = who->reads ? !comes_in_order(facts, producer, next)
                                 : !is_guarded(&code->instructions[who->at]);
    while (!is_certain && (!conflicts(code, producer, next) ||
                           (who->reads && comes_in_order(facts, producer, next)))) {
        spend(code, 1);
        if (is_spent(code) || next == block->last)
            return NO_INSTRUCTION;
        next++;
    }
    return next;
}

static void
mark_all(struct block_facts *facts, uint32_t mark)
{
    for (unsigned r = 0; r < PREDICATES; r++)
        facts->next_touched[r] = facts->next_written[r] = mark;
}

static void
note_touched(struct block_facts *facts, uint32_t instruction)
{
    if (facts->code->may_call && touches_all(facts->code, instruction))
        mark_all(facts, instruction + 1);
    mark_registers(&facts->code->instructions[instruction], instruction + 1, facts->next_touched,
                   facts->next_written);
}

static bool
needs_last(const struct block_facts *facts, uint32_t producer)
{
    unsigned class = producer_class(facts->code, producer);

    return !facts->code->producers[producer].reads && class == LONG_LATENCY &&
           facts->conflict[producer] == NO_INSTRUCTION && facts->has_slow_results;
}

static void
learn_conflict(struct block_facts *facts, uint32_t producer)
{
    facts->conflict[producer] = find_conflict(facts, producer);
    facts->known_in[producer] = facts->block + 1;
}

void
block_facts_begin(struct block_facts *facts, uint32_t block)
{
    const struct code *code = facts->code;

    facts->block = block;
    facts->keeps_last = false;
    facts->collective_end = 0;
    for (uint32_t i = code->blocks[block].last + 1; i-- > code->blocks[block].first;) {
        for (uint32_t p = first_producer(code, i); p < producers_end(code, i); p++) {
            learn_conflict(facts, p);
            facts->free_until[p] = earlier(facts->conflict[p] - 1, code->blocks[block].last);
            facts->keeps_last |= needs_last(facts, p);
        }
        if (opcode_of(&code->instructions[i]) == OP_ENDCOLLECTIVE && !facts->collective_end)
            facts->collective_end = i;
        note_touched(facts, i);
    }
}

/* Of the block itself, come round a loop: what it conflicts with first was found already. */
void
block_facts_add(struct block_facts *facts, uint32_t producer)
{
    if (facts->known_in[producer] != facts->block + 1)
        learn_conflict(facts, producer);
}

bool
block_facts_conflict(const struct block_facts *facts, uint32_t block, uint32_t producer,
                     uint32_t instruction)
{
    const struct code *code = facts->code;
    uint32_t issuer = code->producers[producer].at, free_until = facts->free_until[producer];
    bool is_own = is_in_block(code, issuer, block);
    bool is_known = !code->may_call; /* else calls need no register in common */

    if (is_known && is_own && free_until && instruction > issuer && instruction <= free_until + 1)
        return instruction > free_until;
    if (is_known && !is_own && facts->known_in[producer] == block + 1 &&
        instruction <= facts->conflict[producer])
        return instruction == facts->conflict[producer];
    return conflicts(code, producer, instruction);
}
