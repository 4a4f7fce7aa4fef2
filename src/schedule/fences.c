#include "schedule/fences.h"

#include "base/array.h"
#include "schedule/nops.h"
#include "schedule/opcodes.h"
#include "schedule/retarget.h"
#include "schedule/stalls.h"

#define MOST_LOADS 4 /* in a row */

struct shortening {
    struct arena *arena;
    const struct leaf_kernel *kernel;
    struct bytes text;
    uint32_t count; /* instructions up to the branch to itself that ends the code */
    ARRAY(uint32_t) removed;
    unsigned contents; /* of the text: see survey.h */
    uint32_t *moved;   /* instruction -> its new number; of a removed one, of what follows it */
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

/* The loads, if that is what they are: a few, and a fence after them. They stay where copies run by
   themselves. */
static bool
note_loads(struct shortening *shortening, uint32_t at, uint32_t count)
{
    if (shortening->contents & HAS_COPIES)
        return true;
    if (count > MOST_LOADS || opcode_at(shortening, at + count) != OP_MEMBAR)
        return false;
    for (uint32_t i = 0; i < count; i++)
        array_push(&shortening->removed, shortening->arena, at + i);
    return true;
}

/* A fence that the next instruction makes superfluous, unless there are barriers in shared memory. */
static bool
note_weaker_fence(struct shortening *shortening, uint32_t at)
{
    unsigned next = opcode_at(shortening, at + 1);

    if (shortening->contents & HAS_BARRIERS)
        return true;
    array_push(&shortening->removed, shortening->arena, at);
    return next == OP_MEMBAR || next == OP_ERRBAR;
}

static bool
loses_nop(const struct shortening *shortening, uint32_t at)
{
    return shortening->contents & MAY_HAVE_NOPS &&
           is_followed_by_nop(shortening->text, shortening->count, at);
}

/* Notes what goes; false if something looks like padding and is not as it always is. */
static bool
find_padding(struct shortening *shortening)
{
    for (uint32_t i = 0; i < shortening->count; i++) {
        struct instruction instruction = instruction_at(shortening, i);
        if (loses_nop(shortening, i))
            array_push(&shortening->removed, shortening->arena, i + 1);
        if (!(shortening->contents & MAY_HAVE_PADDING))
            continue;
        if (instruction.low == LOAD_THAT_NEVER_HAPPENS) {
            uint32_t loads = loads_from(shortening, i);
            if (!note_loads(shortening, i, loads))
                return false;
            i += loads - 1;
        } else if (is_weaker_fence(&instruction) && !note_weaker_fence(shortening, i)) {
            return false;
        }
    }
    return true;
}

static void
number_anew(struct shortening *shortening)
{
    uint32_t next = 0;

    shortening->moved =
        arena_alloc(shortening->arena, ((size_t)shortening->count + 1) * sizeof(uint32_t));
    for (uint32_t i = 0; i <= shortening->count; i++) {
        shortening->moved[i] = i - next;
        next += next < shortening->removed.count && shortening->removed.at[next] == i;
    }
}

/* Where fences are shortened, all instructions must be known. */
static bool
leads_where_it_led(const struct shortening *shortening, const struct renumbering *numbers,
                   struct instruction *instruction, uint32_t at)
{
    bool may_be_unknown = !(shortening->contents & MAY_HAVE_PADDING);

    return (may_be_unknown || is_described(&opcode_table[opcode_of(instruction)], instruction)) &&
           retarget(numbers, instruction, at);
}

/* Copies what stays. */
static bool
write_shorter(const struct shortening *shortening, uint8_t *out, uint32_t out_count)
{
    struct renumbering numbers = {shortening->count, shortening->moved, shortening->kernel};
    struct converging converging = {0};
    uint32_t next = 0, written = 0;

    if (shortening->contents & MAY_HAVE_NOPS)
        converging = find_targets(shortening->kernel, shortening->text, shortening->count,
                                  shortening->arena);
    for (uint32_t i = 0; i < shortening->count; i++) {
        struct instruction instruction = instruction_at(shortening, i);
        if (next < shortening->removed.count && shortening->removed.at[next] == i) {
            next++;
            continue;
        }
        if (loses_nop(shortening, i))
            instruction = without_nop(&converging, i);
        if (!leads_where_it_led(shortening, &numbers, &instruction, i))
            return false;
        write_instruction(out + (size_t)written++ * INSTRUCTION_SIZE, &instruction);
    }
    for (uint32_t i = 0; i + 1 < written; i++)
        lengthen_stall(out, i);
    write_padding(out, written, out_count);
    return true;
}

/* None of what goes may be waited for or wait. NOPs were looked at before. */
static bool
is_idle(const struct shortening *shortening)
{
    for (uint32_t i = 0; i < shortening->removed.count; i++) {
        struct instruction instruction = instruction_at(shortening, shortening->removed.at[i]);
        if (opcode_of(&instruction) != OP_NOP && !has_no_scoreboard(&instruction))
            return false;
    }
    return true;
}

bool
shorten_fences(const struct leaf_kernel *kernel, struct bytes text, unsigned contents,
               struct arena *arena, struct shortened *shortened)
{
    struct shortening shortening = {
        .arena = arena, .kernel = kernel, .text = text, .contents = contents};

    *shortened = (struct shortened){.text = text};
    if (!(contents & (MAY_HAVE_PADDING | MAY_HAVE_NOPS)))
        return true;
    shortening.count = (uint32_t)(text.size / INSTRUCTION_SIZE);
    if (!find_padding(&shortening))
        return false;
    if (!shortening.removed.count)
        return true;
    if (!find_code_end(text, &shortening.count) || !is_idle(&shortening))
        return false;
    number_anew(&shortening);
    uint32_t padded = padded_count(shortening.moved[shortening.count]);
    size_t size = (size_t)padded * INSTRUCTION_SIZE;
    uint8_t *out = arena_alloc(arena, size);
    if (size > text.size || !write_shorter(&shortening, out, padded))
        return false;
    *shortened = (struct shortened){{out, size}, shortening.removed.at, shortening.removed.count};
    return true;
}
