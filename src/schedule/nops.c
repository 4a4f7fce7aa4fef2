#include "schedule/nops.h"

#include "schedule/blocks.h"
#include "schedule/opcodes.h"

enum {
    LONGEST_STALL = 15, /* of all instructions in code that was not optimised: enough for any */
    SETTLED = 16,       /* cycles after which every result is there that no scoreboard stands for */
    FAMILY = 0x1ff,
};

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

bool
is_followed_by_nop(struct bytes text, uint32_t count, uint32_t at)
{
    if (at + 1 >= count)
        return false;
    struct instruction here = instruction_at(text, at), next = instruction_at(text, at + 1);
    bool has_time =
        stall_of(&here) == LONGEST_STALL || stall_of(&here) + stall_of(&next) <= LONGEST_STALL;

    return converges(&here) && is_idle_nop(&next, &here) && stall_of(&next) > 0 && has_time;
}

/* Arithmetic on general registers: six cycles are enough for any that uses the result. */
static bool
is_fast(const struct instruction *instruction)
{
    static const uint16_t families[] = {0x002, 0x007, 0x010, 0x011, 0x012, 0x016, 0x019,
                                        0x020, 0x021, 0x023, 0x024, 0x035, 0x036};
    struct operands operands;

    operands_of(instruction, &operands);
    for (unsigned i = 0; i < operands.written_count; i++)
        if (operands.written[i].first >= UNIFORM_REGISTERS)
            return false;
    for (size_t i = 0; i < sizeof families / sizeof *families; i++)
        if ((opcode_of(instruction) & FAMILY) == families[i])
            return true;
    return !operands.written_count;
}

struct converging
find_targets(struct bytes text, uint32_t count, struct arena *arena)
{
    struct converging code = {text, arena_array(arena, (size_t)count + 1, sizeof(bool)), false};

    for (uint32_t i = 0; i < count; i++) {
        struct instruction instruction = instruction_at(text, i);
        unsigned opcode = opcode_of(&instruction);
        bool is_branch = opcode == OP_BRA || opcode == OP_BRA_UNIFORM;
        int64_t target = is_branch ? branch_target(&instruction, i) : -1;

        code.has_tables |= opcode == OP_BRX || opcode == OP_BRX_UNIFORM;
        if (target >= 0 && target <= count)
            code.is_target[target] = true;
    }
    return code;
}

/* Can some instruction be on its way to a result when this one is issued, for more than the time that
   it takes? Of code that leads here from elsewhere nothing is known. */
static bool
is_slow_before(const struct converging *code, uint32_t at)
{
    struct instruction here = instruction_at(code->text, at);
    unsigned cycles = stall_of(&here);

    for (uint32_t i = at; i > 0; i--) {
        struct instruction before = instruction_at(code->text, i - 1);
        const struct opcode_fields *fields = &opcode_table[opcode_of(&before)];
        bool is_call =
            opcode_of(&before) == OP_CALL_ABSOLUTE || opcode_of(&before) == OP_CALL_REGISTER;

        cycles += stall_of(&before);
        if (is_call || cycles >= SETTLED) /* calls take much longer */
            return false;
        if (code->is_target[i] || fields->traits.flags & IS_LANDMARK ||
            !is_described(fields, &before))
            return true;
        if (write_scoreboard(&before) == NO_SCOREBOARD && !is_fast(&before))
            return true;
    }
    return code->has_tables;
}

unsigned
stall_without_nop(const struct converging *code, uint32_t at)
{
    struct instruction here = instruction_at(code->text, at);
    struct instruction nop = instruction_at(code->text, at + 1);
    bool is_needed =
        stall_of(&here) < LONGEST_STALL && (stall_of(&nop) > 1 || is_slow_before(code, at));

    return stall_of(&here) + (is_needed ? stall_of(&nop) : 0);
}
