#include "schedule/fences.h"

#include "base/array.h"
#include "schedule/blocks.h"
#include "schedule/stalls.h"

#define LOAD_THAT_NEVER_HAPPENS 0x00000000fffff984u /* @!PT LDS RZ, [RZ] */
#define MOST_LOADS 4                                /* in a row */
#define TEXT_UNIT 8 /* instructions; a text has one unit of padding more than fills its last */

static const struct instruction padding = {0x7918, 0x000fc00000000000}; /* NOP */

struct shortening {
    struct arena *arena;
    struct bytes text;
    uint32_t count; /* instructions up to the branch to itself that ends the code */
    ARRAY(uint32_t) removed;
    bool keeps_loads, keeps_fences;
    uint32_t *moved; /* instruction -> its new number; of a removed one, of what follows it */
};

static struct instruction
instruction_at(const struct shortening *shortening, uint32_t at)
{
    return read_instruction(shortening->text.at + (size_t)at * INSTRUCTION_SIZE);
}

static bool
has_no_scoreboard(const struct instruction *instruction)
{
    return read_scoreboard(instruction) == NO_SCOREBOARD &&
           write_scoreboard(instruction) == NO_SCOREBOARD && !wait_mask(instruction);
}

static uint32_t
loads_from(const struct shortening *shortening, uint32_t at)
{
    uint32_t end = at;

    while (end < shortening->count &&
           instruction_at(shortening, end).low == LOAD_THAT_NEVER_HAPPENS)
        end++;
    return end - at;
}

static bool
is_weaker_fence(const struct instruction *instruction)
{
    return opcode_of(instruction) == OP_MEMBAR && stall_of(instruction) == 0;
}

static unsigned
opcode_at(const struct shortening *shortening, uint32_t at)
{
    if (at >= shortening->count)
        return OP_NOP;
    struct instruction instruction = instruction_at(shortening, at);
    return opcode_of(&instruction);
}

/* What the kernel has keeps part of the padding in place: copies that run by themselves the loads,
   barriers in shared memory the weaker fences. */
static void
find_what_stays(struct shortening *shortening)
{
    for (uint32_t i = 0; i < shortening->count; i++)
        switch (opcode_at(shortening, i)) {
        case OP_LDGSTS:
            shortening->keeps_loads = true;
            break;
        case OP_ARRIVES:
        case OP_SYNCS_TEST:
        case OP_SYNCS_ARRIVE:
        case OP_SYNCS_CONTROL:
        case OP_SYNCS_EXCHANGE:
            shortening->keeps_fences = true;
            break;
        }
}

/* The loads, if that is what they are: a few, and a fence after them. */
static bool
note_loads(struct shortening *shortening, uint32_t at, uint32_t count)
{
    if (shortening->keeps_loads)
        return true;
    if (count > MOST_LOADS || opcode_at(shortening, at + count) != OP_MEMBAR)
        return false;
    for (uint32_t i = 0; i < count; i++)
        array_push(&shortening->removed, shortening->arena, at + i);
    return true;
}

/* A fence that the next instruction makes superfluous. */
static bool
note_weaker_fence(struct shortening *shortening, uint32_t at)
{
    unsigned next = opcode_at(shortening, at + 1);

    if (shortening->keeps_fences)
        return true;
    array_push(&shortening->removed, shortening->arena, at);
    return next == OP_MEMBAR || next == OP_ERRBAR;
}

/* Notes what goes; false if something looks like padding and is not as it always is. */
static bool
find_padding(struct shortening *shortening)
{
    find_what_stays(shortening);
    for (uint32_t i = 0; i < shortening->count; i++) {
        struct instruction instruction = instruction_at(shortening, i);
        uint32_t loads = loads_from(shortening, i);
        if (loads && !note_loads(shortening, i, loads))
            return false;
        if (loads)
            i += loads - 1;
        else if (is_weaker_fence(&instruction) && !note_weaker_fence(shortening, i))
            return false;
    }
    return true;
}

static bool
ends_code(const struct instruction *instruction, uint32_t at)
{
    return opcode_of(instruction) == OP_BRA && guard_of(instruction) == 7 &&
           branch_target(instruction, at) == at;
}

/* The code ends with a branch to itself; what follows is padding. */
static bool
find_end(struct shortening *shortening)
{
    uint32_t count = (uint32_t)(shortening->text.size / INSTRUCTION_SIZE);

    while (count > 0) {
        struct instruction instruction = instruction_at(shortening, count - 1);
        if (opcode_of(&instruction) != OP_NOP) {
            shortening->count = count;
            return ends_code(&instruction, count - 1);
        }
        count--;
    }
    return false;
}

static void
number_anew(struct shortening *shortening)
{
    uint32_t next = 0;

    shortening->moved =
        arena_array(shortening->arena, (size_t)shortening->count + 1, sizeof(uint32_t));
    for (uint32_t i = 0, new = 0; i < shortening->count; i++) {
        shortening->moved[i] = new;
        if (next < shortening->removed.count && shortening->removed.at[next] == i)
            next++;
        else
            new ++;
    }
    shortening->moved[shortening->count] = shortening->count - shortening->removed.count;
}

static void
set_branch_distance(struct instruction *instruction, int64_t instructions)
{
    uint64_t words = (uint64_t)(instructions * (INSTRUCTION_SIZE / 4));

    instruction->low &= ~((uint64_t)0xff << 16 | (uint64_t)0x3fffffff << 34);
    instruction->low |= (words & 0xff) << 16 | (words >> 8 & 0x3fffffff) << 34;
    instruction->high &= ~(uint64_t)0x3ffff;
    instruction->high |= words >> 38 & 0x3ffff;
}

static bool
retarget_branch(const struct shortening *shortening, struct instruction *instruction, uint32_t at)
{
    int64_t target = branch_target(instruction, at);

    if (target < 0 || target > shortening->count)
        return false;
    set_branch_distance(instruction,
                        (int64_t)shortening->moved[target] - (int64_t)shortening->moved[at] - 1);
    return true;
}

/* BSSY has the distance to where a warp meets again, in bytes. */
static bool
retarget_meeting(const struct shortening *shortening, struct instruction *instruction, uint32_t at)
{
    int64_t target = meeting_place(instruction, at);

    if (target < 0 || target > shortening->count)
        return false;
    int64_t distance = ((int64_t)shortening->moved[target] - (int64_t)shortening->moved[at] - 1) *
                       INSTRUCTION_SIZE;
    instruction->low = (instruction->low & 0xffffffff) | (uint64_t)(uint32_t)distance << 32;
    return true;
}

/* Jump tables hold offsets in the text; the branch adds its distance to the beginning. */
static bool
retarget_table(const struct shortening *shortening, struct instruction *instruction, uint32_t at)
{
    return branch_target(instruction, at) == 0 && retarget_branch(shortening, instruction, at);
}

static bool
retarget(const struct shortening *shortening, struct instruction *instruction, uint32_t at)
{
    struct operands operands;

    switch (opcode_of(instruction)) {
    case OP_BRA:
    case OP_BRA_UNIFORM:
    case OP_WARPSYNC:
    case OP_WARPSYNC_ALL:
        return retarget_branch(shortening, instruction, at);
    case OP_BRX:
    case OP_BRX_UNIFORM:
        return retarget_table(shortening, instruction, at);
    case OP_BSSY:
        return retarget_meeting(shortening, instruction, at);
    default:
        /* One that is not known might hold a distance. */
        return operands_of(instruction, &operands);
    }
}

/* Copies what stays. */
static bool
write_shorter(const struct shortening *shortening, uint8_t *out, uint32_t out_count)
{
    uint32_t next = 0, written = 0;

    for (uint32_t i = 0; i < shortening->count; i++) {
        struct instruction instruction = instruction_at(shortening, i);
        if (next < shortening->removed.count && shortening->removed.at[next] == i) {
            next++;
            continue;
        }
        if (!retarget(shortening, &instruction, i))
            return false;
        write_instruction(out + (size_t)written++ * INSTRUCTION_SIZE, &instruction);
    }
    lengthen_stalls(out, written);
    while (written < out_count)
        write_instruction(out + (size_t)written++ * INSTRUCTION_SIZE, &padding);
    return true;
}

/* None of what goes may be waited for or wait. */
static bool
is_idle(const struct shortening *shortening)
{
    for (uint32_t i = 0; i < shortening->removed.count; i++) {
        struct instruction instruction = instruction_at(shortening, shortening->removed.at[i]);
        if (!has_no_scoreboard(&instruction))
            return false;
    }
    return true;
}

bool
shorten_fences(struct bytes text, struct arena *arena, struct shortened *shortened)
{
    struct shortening shortening = {.arena = arena, .text = text};

    *shortened = (struct shortened){.text = text};
    shortening.count = (uint32_t)(text.size / INSTRUCTION_SIZE);
    if (!find_padding(&shortening))
        return false;
    if (!shortening.removed.count)
        return true;
    if (!find_end(&shortening) || !is_idle(&shortening))
        return false;
    number_anew(&shortening);
    uint64_t units = align_up(shortening.moved[shortening.count], TEXT_UNIT) + TEXT_UNIT;
    size_t size = (size_t)units * INSTRUCTION_SIZE;
    uint8_t *out = arena_alloc(arena, size);
    if (size > text.size || !write_shorter(&shortening, out, (uint32_t)units))
        return false;
    *shortened = (struct shortened){{out, size}, shortening.removed.at, shortening.removed.count};
    return true;
}
