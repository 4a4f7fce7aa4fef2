#include "schedule/nops.h"

#include "schedule/blocks.h"
#include "schedule/opcodes.h"

enum {
    FIRST_WITHOUT_YIELD = 12, /* no instruction that takes as long yields */
    LONGEST_STALL = 15,
    /* cycles after which a result is there that no scoreboard stands for */
    SETTLED_IF_FAST = 6,
    SETTLED = 16,
    SETTLED_IF_PRODUCT = 64,
    FAMILY = 0x1ff,
};

#define YIELD_BIT ((uint64_t)1 << 45)

static struct instruction
instruction_at(struct bytes text, uint32_t at)
{
    return read_instruction(text.at + (size_t)at * INSTRUCTION_SIZE);
}

bool
converges(const struct instruction *instruction)
{
    return opcode_of(instruction) == OP_WARPSYNC_ALL || opcode_of(instruction) == OP_WARPSYNC;
}

/* It has nothing to wait for that was not waited for before, and nothing waits for it. */
static bool
is_idle_nop(const struct instruction *nop, const struct instruction *before)
{
    const uint64_t operands = ((uint64_t)1 << 41) - 1;

    return nop->low == (OP_NOP | 7 << 12) && !(nop->high & operands) && !scoreboard_mask(nop) &&
           !scoreboard_mask(before) && !(wait_mask(nop) & ~wait_mask(before));
}

/* There every instruction waits as long as it can, and for all that may be under way. */
static bool
is_unoptimised(const struct instruction *here, const struct instruction *next)
{
    return stall_of(here) == LONGEST_STALL && stall_of(next) == LONGEST_STALL && wait_mask(next);
}

bool
is_followed_by_nop(struct bytes text, uint32_t count, uint32_t at)
{
    if (at + 1 >= count)
        return false;
    struct instruction here = instruction_at(text, at), next = instruction_at(text, at + 1);
    bool has_time =
        is_unoptimised(&here, &next) || stall_of(&here) + stall_of(&next) <= LONGEST_STALL;

    return converges(&here) && is_idle_nop(&next, &here) && stall_of(&next) > 0 && has_time;
}

static bool
is_of_family(const struct instruction *instruction, const uint16_t *families, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if ((opcode_of(instruction) & FAMILY) == families[i])
            return true;
    return false;
}

/* Arithmetic whose results in general registers can be used after six cycles. */
static bool
is_fast(const struct instruction *instruction, const struct operands *operands)
{
    static const uint16_t fast[] = {0x002, 0x007, 0x010, 0x011, 0x012, 0x016, 0x019,
                                    0x020, 0x021, 0x023, 0x024, 0x035, 0x036};

    for (unsigned i = 0; i < operands->written_count; i++)
        if (operands->written[i].first >= UNIFORM_REGISTERS)
            return false;
    return is_of_family(instruction, fast, sizeof fast / sizeof *fast);
}

/* Products of matrices and of doubles. */
static bool
is_product(const struct instruction *instruction)
{
    static const uint16_t products[] = {0x028, 0x029, 0x02a, 0x02b, 0x037,
                                        0x03c, 0x03f, 0x07a, 0x07f};

    return is_of_family(instruction, products, sizeof products / sizeof *products);
}

static void
note_target(struct converging *code, int64_t target)
{
    if (target >= 0 && target <= code->count)
        code->is_target[target] = true;
}

/* Does the list, which is in order, have the targets of the branch? `*next` is the first that may. */
static bool
note_table(struct converging *code, const struct leaf_kernel *from, uint32_t at, uint32_t *next)
{
    uint32_t offset = at * INSTRUCTION_SIZE;

    while (*next < from->jump_count && from->jumps[*next].at < offset)
        ++*next;
    if (*next == from->jump_count || from->jumps[*next].at != offset)
        return false;
    for (uint32_t i = 0; i < from->jumps[*next].target_count; i++)
        note_target(code, from->jumps[*next].targets[i] / INSTRUCTION_SIZE);
    return true;
}

struct converging
find_targets(const struct leaf_kernel *from, struct bytes text, uint32_t count, struct arena *arena)
{
    struct converging code = {
        .text = text,
        .count = count,
        .is_target = arena_array(arena, (size_t)count + 1, sizeof(bool)),
    };
    uint32_t next = 0;

    for (uint32_t i = 0; i < count; i++) {
        struct instruction instruction = instruction_at(text, i);
        unsigned opcode = opcode_of(&instruction);

        code.has_products |= is_product(&instruction);
        if (opcode == OP_BRA || opcode == OP_BRA_UNIFORM)
            note_target(&code, branch_target(&instruction, i));
        if (opcode == OP_BRX || opcode == OP_BRX_UNIFORM)
            code.has_tables |= !note_table(&code, from, i, &next);
    }
    return code;
}

static unsigned
cycles_of(const struct instruction *instruction)
{
    return stall_of(instruction) ? stall_of(instruction) : 1;
}

/* How many cycles after an instruction its results are there, at most. */
static unsigned
cycles_to_settle(const struct instruction *instruction, const struct operands *operands)
{
    if (!operands->written_count || write_scoreboard(instruction) != NO_SCOREBOARD)
        return 0;
    if (is_fast(instruction, operands))
        return SETTLED_IF_FAST;
    return is_product(instruction) ? SETTLED_IF_PRODUCT : SETTLED;
}

/* Can any instruction from this one on, issued `cycles` after the writer, need what that writes
   before it is there? */
static bool
may_be_needed(const struct converging *code, const struct operands *writer, uint32_t from,
              unsigned cycles, unsigned settled)
{
    for (uint32_t i = from; cycles < settled; i++) {
        if (i >= code->count)
            return true;
        struct instruction instruction = instruction_at(code->text, i);
        const struct opcode_fields *fields = &opcode_table[opcode_of(&instruction)];
        struct operands operands;

        if (fields->traits.flags & IS_LANDMARK || !is_described(fields, &instruction))
            return true;
        operands_of(&instruction, &operands);
        if (writes_what_is_read(writer, &operands) || writes_the_same(writer, &operands))
            return true;
        cycles += cycles_of(&instruction);
    }
    return false;
}

/* Can something that was issued before this instruction be needed too early if the NOP behind it goes?
   Of code that leads here from elsewhere nothing is known. */
static bool
is_slow_before(const struct converging *code, uint32_t at)
{
    struct instruction here = instruction_at(code->text, at);
    unsigned cycles = stall_of(&here);
    unsigned all_settled = code->has_products ? SETTLED_IF_PRODUCT : SETTLED;

    for (uint32_t i = at; i > 0; i--) {
        struct instruction before = instruction_at(code->text, i - 1);
        const struct opcode_fields *fields = &opcode_table[opcode_of(&before)];
        bool is_call =
            opcode_of(&before) == OP_CALL_ABSOLUTE || opcode_of(&before) == OP_CALL_REGISTER;
        struct operands operands;

        cycles += cycles_of(&before);
        if (is_call || cycles >= all_settled) /* calls take much longer */
            return false;
        if (code->is_target[i] || fields->traits.flags & IS_LANDMARK ||
            !is_described(fields, &before))
            return true;
        operands_of(&before, &operands);
        if (may_be_needed(code, &operands, at + 2, cycles, cycles_to_settle(&before, &operands)))
            return true;
    }
    return code->has_tables;
}

struct instruction
without_nop(const struct converging *code, uint32_t at)
{
    struct instruction here = instruction_at(code->text, at);
    struct instruction nop = instruction_at(code->text, at + 1);
    bool is_needed =
        !is_unoptimised(&here, &nop) && (stall_of(&nop) > 1 || is_slow_before(code, at));
    unsigned stall = stall_of(&here) + (is_needed ? stall_of(&nop) : 0);

    here.high = with_stall(here.high, stall);
    if (stall >= FIRST_WITHOUT_YIELD)
        here.high &= ~YIELD_BIT;
    return here;
}

/* ---- NOPs that take time ---- */

static bool
takes_time(const struct instruction *instruction)
{
    struct instruction plain = *instruction;

    plain.high = with_stall(plain.high & ~YIELD_BIT, 0);
    return plain.low == (OP_NOP | 7 << 12) && plain.high == NO_SCOREBOARD_BITS &&
           stall_of(instruction) > 0;
}

/* The end of the NOPs that make an instruction's longest stall longer, from `at` on. */
static uint32_t
end_of_nops(struct bytes text, uint32_t count, uint32_t at)
{
    while (at < count) {
        struct instruction instruction = instruction_at(text, at);
        if (!takes_time(&instruction))
            break;
        at++;
    }
    return at;
}

/* Only the first one takes less than the longest: that is the last one then. */
static void
order_run(uint8_t *text, uint32_t from, uint32_t end)
{
    struct instruction first = read_instruction(text + (size_t)from * INSTRUCTION_SIZE);
    struct instruction longest = {first.low, with_stall(NO_SCOREBOARD_BITS, LONGEST_STALL)};

    for (uint32_t i = from + 1; i < end; i++) {
        struct instruction nop = read_instruction(text + (size_t)i * INSTRUCTION_SIZE);
        if (stall_of(&nop) != LONGEST_STALL)
            return;
    }
    for (uint32_t i = from; i + 1 < end; i++)
        write_instruction(text + (size_t)i * INSTRUCTION_SIZE, &longest);
    first.high &= ~YIELD_BIT;
    write_instruction(text + (size_t)(end - 1) * INSTRUCTION_SIZE, &first);
}

struct bytes
order_nops(struct bytes text, struct arena *arena)
{
    uint32_t count = (uint32_t)(text.size / INSTRUCTION_SIZE);
    uint8_t *copy = NULL;

    for (uint32_t i = 0; i < count; i++) {
        struct instruction instruction = instruction_at(text, i);
        uint32_t end =
            stall_of(&instruction) == LONGEST_STALL ? end_of_nops(text, count, i + 1) : i + 1;
        if (end == i + 1)
            continue;
        if (!copy)
            copy = memcpy(arena_alloc(arena, text.size), text.at, text.size);
        order_run(copy, i + 1, end);
        i = end - 1;
    }
    return copy ? (struct bytes){copy, text.size} : text;
}
