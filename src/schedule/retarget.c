#include "schedule/retarget.h"

#include "base/bytes.h"
#include "schedule/blocks.h"
#include "schedule/opcodes.h"

#define TEXT_UNIT 8 /* instructions; a text has one unit of padding more than fills its last */

static const struct instruction padding = {0x7918, 0x000fc00000000000}; /* NOP */

static bool
ends_code(const struct instruction *instruction, uint32_t at)
{
    return opcode_of(instruction) == OP_BRA && guard_of(instruction) == 7 &&
           branch_target(instruction, at) == at;
}

bool
find_code_end(struct bytes text, uint32_t *count)
{
    for (uint32_t i = (uint32_t)(text.size / INSTRUCTION_SIZE); i > 0; i--) {
        struct instruction instruction =
            read_instruction(text.at + (size_t)(i - 1) * INSTRUCTION_SIZE);
        if (opcode_of(&instruction) != OP_NOP) {
            *count = i;
            return ends_code(&instruction, i - 1);
        }
    }
    return false;
}

uint32_t
padded_count(uint32_t count)
{
    return (uint32_t)align_up(count, TEXT_UNIT) + TEXT_UNIT;
}

void
write_padding(uint8_t *text, uint32_t from, uint32_t to)
{
    for (uint32_t i = from; i < to; i++)
        write_instruction(text + (size_t)i * INSTRUCTION_SIZE, &padding);
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
retarget_branch(const struct renumbering *numbers, struct instruction *instruction, uint32_t at)
{
    int64_t target = branch_target(instruction, at);

    if (target < 0 || target > numbers->count)
        return false;
    set_branch_distance(instruction,
                        (int64_t)numbers->moved[target] - (int64_t)numbers->moved[at] - 1);
    return true;
}

/* BSSY has the distance to where a warp meets again, in bytes. */
static bool
retarget_meeting(const struct renumbering *numbers, struct instruction *instruction, uint32_t at)
{
    int64_t target = meeting_place(instruction, at);

    if (target < 0 || target > numbers->count)
        return false;
    int64_t distance =
        ((int64_t)numbers->moved[target] - (int64_t)numbers->moved[at] - 1) * INSTRUCTION_SIZE;
    instruction->low = (instruction->low & 0xffffffff) | (uint64_t)(uint32_t)distance << 32;
    return true;
}

/* A branch into what follows it, where code has computed how far: all that it may lead to must stay
   where it is from there. */
static bool
follows_as_it_did(const struct renumbering *numbers, uint32_t at)
{
    const struct leaf_jump *jump = find_jump(numbers->kernel, at);
    uint32_t next = at + 1;

    for (uint32_t i = 0; jump && i < jump->target_count; i++) {
        uint32_t target = jump->targets[i] / INSTRUCTION_SIZE;

        if (jump->targets[i] % INSTRUCTION_SIZE || target < next || target >= numbers->count ||
            numbers->moved[target] - numbers->moved[next] != target - next)
            return false;
    }
    return jump != NULL;
}

/* Jump tables hold offsets in the text; the branch adds its distance to the beginning. Without a table
   it leads to one of the branches behind it. */
static bool
retarget_table(const struct renumbering *numbers, struct instruction *instruction, uint32_t at)
{
    int64_t target = branch_target(instruction, at);

    if (target == (int64_t)at + 1)
        return follows_as_it_did(numbers, at);
    return target == 0 && retarget_branch(numbers, instruction, at);
}

static bool
is_among(const uint32_t *list, uint32_t count, uint32_t number)
{
    uint32_t place = count_below(list, count, number);

    return place < count && list[place] == number;
}

/* Is its number an offset in the text? */
static bool
holds_address(const struct leaf_kernel *kernel, uint32_t at)
{
    return is_among(kernel->addresses, kernel->address_count, at);
}

enum { NUMBER_AT = 32 };

static bool
retarget_address(const struct renumbering *numbers, struct instruction *instruction)
{
    uint64_t offset = instruction->low >> NUMBER_AT;

    if (offset % INSTRUCTION_SIZE || offset / INSTRUCTION_SIZE > numbers->count)
        return false;
    offset = (uint64_t)numbers->moved[offset / INSTRUCTION_SIZE] * INSTRUCTION_SIZE;
    instruction->low = (instruction->low & UINT32_MAX) | offset << NUMBER_AT;
    return true;
}

/* Is it known which instruction says where a call comes back to? */
static bool
has_return_address(const struct leaf_kernel *kernel, uint32_t call)
{
    return is_among(kernel->named, kernel->address_count, call + 1);
}

/* A function that calls itself gets its return address by a relocation. What a call inside the text
   comes back to is a number in the code, which cannot be told from others unless mercury says so. */
static bool
retarget_call(const struct renumbering *numbers, struct instruction *instruction, uint32_t at)
{
    bool is_known = branch_target(instruction, at) == 0 || has_return_address(numbers->kernel, at);

    return is_known && retarget_branch(numbers, instruction, at);
}

/* One to a number in a register is relative to the text. */
static bool
retarget_return(const struct renumbering *numbers, struct instruction *instruction, uint32_t at)
{
    return numbers->kernel->knows_addresses && branch_target(instruction, at) == 0 &&
           retarget_branch(numbers, instruction, at);
}

/* LEPC takes the address of a place behind it, where a call of code that may be anywhere comes back to:
   that must stay as far away. */
static bool
is_as_far(const struct renumbering *numbers, const struct instruction *instruction, uint32_t at)
{
    uint64_t distance = instruction->low >> 24;
    uint64_t target = at + 1 + distance / INSTRUCTION_SIZE;

    return distance % INSTRUCTION_SIZE == 0 && target <= numbers->count &&
           field(instruction->high, 0, 41) == 0 &&
           numbers->moved[target] - numbers->moved[at] == target - at;
}

/* Calls and returns by address have no distance, nor have moves of barriers. */
static bool
holds_none(const struct instruction *instruction)
{
    enum { OP_BARRIER_FROM = 0x355, OP_BARRIER_TO = 0x356 };
    unsigned opcode = opcode_of(instruction);
    bool is_absolute = field(instruction->low, 16, 8) == 0 && instruction->low >> 32 == 0;

    switch (opcode) {
    case OP_CALL_ABSOLUTE:
    case OP_CALL_REGISTER:
    case OP_BARRIER_FROM:
    case OP_BARRIER_TO:
        return true;
    case OP_RETURN:
        return is_absolute;
    default:
        return false;
    }
}

/* The upper half of the opcodes that may hold a distance are textures and rare accesses to memory. */
static bool
reaches_memory(unsigned opcode)
{
    return opcode & 0x20;
}

bool
retarget(const struct renumbering *numbers, struct instruction *instruction, uint32_t at)
{
    if (numbers->kernel && holds_address(numbers->kernel, at))
        return retarget_address(numbers, instruction);
    if (!may_hold_distance(instruction) || holds_none(instruction))
        return true;
    switch (opcode_of(instruction)) {
    case OP_BRA:
    case OP_BRA_UNIFORM:
    case OP_WARPSYNC:
    case OP_WARPSYNC_ALL:
        return retarget_branch(numbers, instruction, at);
    case OP_BRX:
    case OP_BRX_UNIFORM:
        return retarget_table(numbers, instruction, at);
    case OP_BSSY:
        return retarget_meeting(numbers, instruction, at);
    case OP_CALL_RELATIVE:
        return retarget_call(numbers, instruction, at);
    case OP_RETURN:
        return retarget_return(numbers, instruction, at);
    case OP_LEPC:
        return is_as_far(numbers, instruction, at);
    default:
        /* One that is not known might hold a distance. */
        return reaches_memory(opcode_of(instruction)) ||
               is_described(&opcode_table[opcode_of(instruction)], instruction);
    }
}

uint32_t
count_below(const uint32_t *list, uint32_t count, uint64_t number)
{
    uint32_t low = 0, high = count;

    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (list[middle] < number)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}
