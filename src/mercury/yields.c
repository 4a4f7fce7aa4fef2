#include "mercury/yields.h"

#include "schedule/instruction.h"

/* The bits of an opcode that do not say of what form it is, and the predicate of YIELD. */
#define OPCODE_BITS ((uint64_t)0x1ff)
#define PREDICATE_OF_YIELD ((uint64_t)0xf << 23)

static struct bytes
code_of(const struct elfw *elfw, uint32_t section)
{
    uint32_t first = elfw_section(elfw, section)->first_piece;
    const struct piece *piece = &elfw->pieces.at[first];

    return first ? (struct bytes){piece->bytes, piece->size} : (struct bytes){0};
}

/* The last one before that place. */
static uint64_t
find_yield(struct bytes text, uint64_t place)
{
    uint64_t end = place < text.size ? place : text.size;

    for (uint64_t at = end / INSTRUCTION_SIZE * INSTRUCTION_SIZE; at > 0;) {
        at -= INSTRUCTION_SIZE;
        if ((read_u16(text.at + at) & 0xfff) == OP_YIELD)
            return at;
    }
    return UINT64_MAX;
}

static void
drop_yields_of(struct bytes text, uint8_t *copy)
{
    memcpy(copy, text.at, text.size);
    for (uint64_t at = UINT64_MAX; (at = find_yield(text, at)) != UINT64_MAX;) {
        struct instruction one = read_instruction(text.at + at);

        one.low = (one.low & ~OPCODE_BITS) | YIELD_IS_NOP;
        one.high &= ~PREDICATE_OF_YIELD;
        write_instruction(copy + at, &one);
    }
}

void
drop_yields(struct elfw *elfw)
{
    if (!elfw_needs_no_yields(elfw) || elfw_flag(elfw, MERGE_RELOCATABLE))
        return;
    for (uint32_t i = 0; i < elfw->tables.count; i++) {
        const struct section *table = elfw_section(elfw, elfw->tables.at[i]);
        const struct section *target = elfw_section(elfw, table->target);
        struct bytes text = code_of(elfw, table->target);

        if (!table->follows_twin || target->state != SECTION_LIVE ||
            !(target->flags & SHF_EXECINSTR) || find_yield(text, UINT64_MAX) == UINT64_MAX)
            continue;
        uint8_t *copy = arena_alloc(elfw->arena, text.size);
        drop_yields_of(text, copy);
        elfw->pieces.at[target->first_piece].bytes = copy;
    }
}

uint64_t
yield_before(const struct elfw *elfw, uint32_t section, uint64_t place)
{
    bool is_left = elfw_needs_no_yields(elfw) && elfw_flag(elfw, MERGE_RELOCATABLE) &&
                   elfw_section(elfw, section)->flags & SHF_EXECINSTR;

    return is_left ? find_yield(code_of(elfw, section), place) : UINT64_MAX;
}

uint32_t
count_yields(const struct elfw *elfw, uint32_t section)
{
    uint32_t count = 0;

    for (uint64_t at = UINT64_MAX; (at = yield_before(elfw, section, at)) != UINT64_MAX;)
        count++;
    return count;
}
