#include "mercury/scoreboards.h"

#include "schedule/instruction.h"

/* Of a wait that counts: the number of its scoreboard. */
enum { DEPBAR_COUNTS_AT = 44 };

static uint32_t
all_waits(struct bytes text, size_t end)
{
    struct instruction any = {0};

    for (size_t at = 0; at < end; at += INSTRUCTION_SIZE)
        any.high |= read_instruction(text.at + at).high;
    return wait_mask(&any);
}

/* Those of instructions that do nothing but wait. */
static uint32_t
explicit_waits(struct bytes text, size_t end)
{
    uint32_t waits = 0;

    for (size_t at = 0; at < end; at += INSTRUCTION_SIZE) {
        struct instruction one = read_instruction(text.at + at);
        if (opcode_of(&one) == OP_DEPBAR)
            waits |= depbar_mask(&one) | 1u << field(one.low, DEPBAR_COUNTS_AT, 3);
    }
    return waits;
}

/* Pure operations, which a compiler leaves out where nothing uses them; loads may have to be done. */
static bool
is_for_its_result(unsigned opcode)
{
    static const bool is_so[4096] = {
        [0x228] = true, [0x229] = true, [0x22a] = true, [0x22b] = true, [0x302] = true,
        [0x305] = true, [0x306] = true, [0x307] = true, [0x308] = true, [0x309] = true,
        [0x310] = true, [0x311] = true, [0x312] = true, [0x7ac] = true,
    };

    return is_so[opcode];
}

/* Code that is not optimised waits for the first two at any place, and some fences wait for all. */
static bool
is_usual_wait(uint32_t waits, uint32_t used)
{
    enum { FIRST_TWO = 3 };
    uint32_t others = waits & ~used;

    return !others || waits == ALL_SCOREBOARDS ||
           (!(others & ~(uint32_t)FIRST_TWO) && (waits & FIRST_TWO) == FIRST_TWO);
}

size_t
find_odd_scoreboard(struct bytes text, size_t end)
{
    uint32_t waits = all_waits(text, end), used = 0;

    for (size_t at = 0; at < end && (waits != ALL_SCOREBOARDS || waits & ~used);
         at += INSTRUCTION_SIZE) {
        struct instruction one = read_instruction(text.at + at);
        uint32_t result = 1u << write_scoreboard(&one) & ALL_SCOREBOARDS;

        used |= scoreboard_mask(&one);
        if (result & ~waits && is_for_its_result(opcode_of(&one)) &&
            !(result & explicit_waits(text, end)))
            return at;
    }
    for (size_t at = 0; waits & ~used && at < end; at += INSTRUCTION_SIZE) {
        struct instruction one = read_instruction(text.at + at);
        if (!is_usual_wait(wait_mask(&one), used))
            return at;
    }
    return SIZE_MAX;
}
