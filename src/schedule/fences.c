#include "schedule/fences.h"

#include "base/array.h"
#include "schedule/nops.h"
#include "schedule/opcodes.h"
#include "schedule/retarget.h"
#include "schedule/stalls.h"

#define MOST_LOADS 4 /* in a row */
#define GUARDS 3     /* of an exit */

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
may_be_padding(const struct instruction *instruction)
{
    return instruction->low == LOAD_THAT_NEVER_HAPPENS || opcode_of(instruction) == OP_MEMBAR;
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

/* That which guards an exit for debuggers. */
static bool
is_guard(const struct instruction *fence)
{
    enum { KIND_AT = 12, KIND_WIDTH = 4, GUARD = 5 };

    return field(fence->high, KIND_AT, KIND_WIDTH) == GUARD;
}

/* A fence that the next instruction makes superfluous: where there are barriers in shared memory only if it
   guards an exit, and then not behind writes to surfaces. */
static bool
note_weaker_fence(struct shortening *shortening, uint32_t at)
{
    unsigned next = opcode_at(shortening, at + 1);
    struct instruction fence = instruction_at(shortening, at);

    if (shortening->contents & (is_guard(&fence) ? HAS_SURFACE_WRITES : HAS_BARRIERS))
        return true;
    array_push(&shortening->removed, shortening->arena, at);
    return next == OP_MEMBAR || next == OP_ERRBAR;
}

/* Are these the three that guard an exit, and the exit? They have the same guard. */
static bool
guards_exit(const struct shortening *shortening, uint32_t at)
{
    static const unsigned opcodes[] = {OP_MEMBAR, OP_ERRBAR, OP_CGAERRBAR, OP_EXIT};
    struct instruction first = instruction_at(shortening, at);

    if (at + COUNT_OF(opcodes) > shortening->count || !is_guard(&first))
        return false;
    for (uint32_t i = 0; i < COUNT_OF(opcodes); i++) {
        struct instruction next = instruction_at(shortening, at + i);
        if (opcode_of(&next) != opcodes[i] || guard_of(&next) != guard_of(&first))
            return false;
    }
    return true;
}

/* Notes the guards of an exit, and says how many there are. */
static uint32_t
note_guards(struct shortening *shortening, uint32_t at)
{
    if (!(shortening->contents & MAY_HAVE_GUARDS) || !guards_exit(shortening, at))
        return 0;
    for (uint32_t i = 0; i < GUARDS; i++)
        array_push(&shortening->removed, shortening->arena, at + i);
    return GUARDS;
}

/* An exit whose guards go waits for its predicate itself. */
static void
take_waits_of_guards(const struct shortening *shortening, uint32_t at, struct instruction *exit)
{
    enum { WAITS = 0x3f, WAITS_AT = 52 };

    if (!(shortening->contents & MAY_HAVE_GUARDS) || opcode_of(exit) != OP_EXIT || at < GUARDS ||
        !guards_exit(shortening, at - GUARDS))
        return;
    for (uint32_t i = at - GUARDS; i < at; i++)
        exit->high |= instruction_at(shortening, i).high & (uint64_t)WAITS << WAITS_AT;
}

static bool
loses_nop(const struct shortening *shortening, uint32_t at)
{
    return is_followed_by_nop(shortening->text, shortening->count, at);
}

/* Is nothing looked for but padding? So it is mostly: few instructions are more than passed then. */
static bool
has_padding_alone(const struct shortening *shortening)
{
    return !(shortening->contents & (MAY_HAVE_NOPS | MAY_HAVE_GUARDS));
}

/* The first from there on that may be padding; else the end. */
static uint32_t
next_padding(const struct shortening *shortening, uint32_t at)
{
    while (at < shortening->count) {
        struct instruction instruction = instruction_at(shortening, at);
        if (may_be_padding(&instruction))
            break;
        at++;
    }
    return at;
}

/* Notes what goes; false if something looks like padding and is not as it always is. */
static bool
find_padding(struct shortening *shortening)
{
    bool has_padding = shortening->contents & MAY_HAVE_PADDING;
    bool has_nops = shortening->contents & MAY_HAVE_NOPS;

    for (uint32_t i = 0, count = shortening->count; i < count; i++) {
        if (has_padding_alone(shortening))
            i = next_padding(shortening, i);
        if (i == count)
            break;
        struct instruction instruction = instruction_at(shortening, i);
        if (has_nops && loses_nop(shortening, i))
            array_push(&shortening->removed, shortening->arena, i + 1);
        uint32_t guards = note_guards(shortening, i);
        i += guards; /* to the exit */
        if (guards)
            continue;
        if (!has_padding || !may_be_padding(&instruction))
            continue;
        if (instruction.low == LOAD_THAT_NEVER_HAPPENS) {
            uint32_t loads = loads_from(shortening, i);
            if (!note_loads(shortening, i, loads))
                return false;
            i += loads - 1;
        } else if (stall_of(&instruction) == 0 && !note_weaker_fence(shortening, i)) {
            return false;
        }
    }
    return true;
}

static void
number_anew(struct shortening *shortening)
{
    uint32_t *moved =
        arena_alloc(shortening->arena, ((size_t)shortening->count + 1) * sizeof *moved);
    uint32_t i = 0;

    for (uint32_t gone = 0; gone <= shortening->removed.count; gone++) {
        bool is_end = gone == shortening->removed.count;
        uint32_t last = is_end ? shortening->count : shortening->removed.at[gone];
        for (; i <= last; i++)
            moved[i] = i - gone;
    }
    shortening->moved = moved;
}

/* What stays of the text, and what it needs to be told apart by. */
struct shorter_text {
    const struct shortening *from;
    struct renumbering numbers;
    struct converging converging;
    uint8_t *out;
    uint32_t written;
};

/* Instructions that were copied get their new distances. */
static bool
retarget_run(const struct shorter_text *text, uint8_t *run, uint32_t first, uint32_t end)
{
    for (uint32_t i = first; i < end; i++, run += INSTRUCTION_SIZE) {
        if (opcode_table[read_u64(run) & 0xfff].known & IS_PLAIN)
            continue;
        struct instruction instruction = read_instruction(run);
        if (!retarget(&text->numbers, &instruction, i))
            return false;
        write_instruction(run, &instruction);
    }
    return true;
}

/* Copies instructions, of which all stay, and gives them their new distances. */
static bool
write_run(struct shorter_text *text, uint32_t first, uint32_t end)
{
    bool has_nops = text->from->contents & MAY_HAVE_NOPS;
    const uint8_t *from = text->from->text.at + (size_t)first * INSTRUCTION_SIZE;
    uint8_t *out = text->out + (size_t)text->written * INSTRUCTION_SIZE;

    text->written += end - first;
    if (has_padding_alone(text->from)) {
        memcpy(out, from, (size_t)(end - first) * INSTRUCTION_SIZE);
        return retarget_run(text, out, first, end);
    }
    for (uint32_t i = first; i < end; i++, from += INSTRUCTION_SIZE, out += INSTRUCTION_SIZE) {
        struct instruction instruction = read_instruction(from);

        if (has_nops && loses_nop(text->from, i))
            instruction = without_nop(&text->converging, i);
        take_waits_of_guards(text->from, i, &instruction);
        if (may_hold_distance(&instruction) && !retarget(&text->numbers, &instruction, i))
            return false;
        write_instruction(out, &instruction);
    }
    return true;
}

/* Copies what stays. */
static bool
write_shorter(const struct shortening *shortening, uint8_t *out, uint32_t out_count)
{
    struct shorter_text text = {
        .from = shortening,
        .numbers = {shortening->count, shortening->moved, shortening->kernel},
        .out = out,
    };
    uint32_t first = 0;

    if (shortening->contents & MAY_HAVE_NOPS)
        text.converging = find_targets(shortening->kernel, shortening->text, shortening->count,
                                       shortening->arena);
    for (uint32_t i = 0; i < shortening->removed.count; i++) {
        if (!write_run(&text, first, shortening->removed.at[i]))
            return false;
        first = shortening->removed.at[i] + 1;
    }
    if (!write_run(&text, first, shortening->count))
        return false;
    for (uint32_t i = 0; i + 1 < text.written; i++)
        lengthen_stall(out, i);
    write_padding(out, text.written, out_count);
    return true;
}

/* NOPs were looked at before, and guards of an exit wait for what the exit waits for. */
static bool
may_wait(const struct instruction *instruction)
{
    unsigned opcode = opcode_of(instruction);
    return opcode == OP_NOP || opcode == OP_ERRBAR || opcode == OP_CGAERRBAR;
}

/* None of what goes may be waited for or wait. */
static bool
is_idle(const struct shortening *shortening)
{
    for (uint32_t i = 0; i < shortening->removed.count; i++) {
        struct instruction instruction = instruction_at(shortening, shortening->removed.at[i]);
        if (!may_wait(&instruction) && !has_no_scoreboard(&instruction))
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
    if (!may_be_shortened(contents))
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
    uint8_t *out = arena_alloc(kernel->keep ? kernel->keep : arena, size);
    if (size > text.size || !write_shorter(&shortening, out, padded))
        return false;
    *shortened = (struct shortened){{out, size}, shortening.removed.at, shortening.removed.count};
    return true;
}
