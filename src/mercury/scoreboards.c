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

/* Scoreboards that are taken, and those for results alone. */
struct taken {
    uint32_t any, results;
};

/* Up to where all that are waited for are taken, if all are waited for: then none is odd. */
static struct taken
all_taken(struct bytes text, size_t end, uint32_t waits)
{
    struct taken taken = {0, 0};

    for (size_t at = 0; at < end && (waits != ALL_SCOREBOARDS || waits & ~taken.any);
         at += INSTRUCTION_SIZE) {
        struct instruction one = read_instruction(text.at + at);

        taken.any |= scoreboard_mask(&one);
        taken.results |= 1u << write_scoreboard(&one);
    }
    taken.results &= ALL_SCOREBOARDS;
    return taken;
}

/* The first instruction that nothing waits for, and that is there for its result; SIZE_MAX: there is none. */
static size_t
find_idle_result(struct bytes text, size_t end, uint32_t waits)
{
    uint32_t idle = ALL_SCOREBOARDS & ~waits & ~explicit_waits(text, end);

    for (size_t at = 0; at < end; at += INSTRUCTION_SIZE) {
        struct instruction one = read_instruction(text.at + at);

        if (idle >> write_scoreboard(&one) & 1 && is_for_its_result(opcode_of(&one)))
            return at;
    }
    return SIZE_MAX;
}

size_t
find_odd_scoreboard(struct bytes text, size_t end)
{
    uint32_t waits = all_waits(text, end);
    struct taken taken = all_taken(text, end, waits);
    size_t idle = taken.results & ~waits ? find_idle_result(text, end, waits) : SIZE_MAX;

    if (idle != SIZE_MAX)
        return idle;
    for (size_t at = 0; waits & ~taken.any && at < end; at += INSTRUCTION_SIZE) {
        struct instruction one = read_instruction(text.at + at);
        if (!is_usual_wait(wait_mask(&one), taken.any))
            return at;
    }
    return SIZE_MAX;
}
