#include "schedule/exits.h"

#include "base/array.h"
#include "schedule/opcodes.h"
#include "schedule/retarget.h"

#define GUARD_AT 12
#define WAITS_AT 52
#define PREDICATE_AT 23 /* of an exit, beside its guard */
#define PREDICATE_SIZE 4
#define EXIT_STALL 5  /* of an exit behind its guards, whatever came before it was waited for */
#define GUARDED_FOR 7 /* cycles, which the guards take */
#define STALL_OF_UNOPTIMISED 15 /* of every instruction, and each waits for what may be pending */
#define WAITS_OF_UNOPTIMISED 3

/* The guard is put in. None waits for anything or is waited for. */
static const struct instruction guards[EXIT_GUARDS] = {
    {0x0992, 0x000fc00000005000}, /* MEMBAR */
    {0x09ab, 0x000fc00000000000}, /* ERRBAR */
    {0x05ab, 0x000fec0000000000}, /* CGAERRBAR */
};

typedef ARRAY(uint32_t) exit_list;

static struct instruction
instruction_at(struct bytes text, uint32_t at)
{
    return read_instruction(text.at + (size_t)at * INSTRUCTION_SIZE);
}

/* A plain exit, which may have a predicate of its own beside its guard; others are not known well
   enough. */
static bool
is_plain_exit(const struct instruction *instruction)
{
    return instruction->low >> 16 == 0 && field(instruction->high, 0, PREDICATE_AT) == 0 &&
           field(instruction->high, PREDICATE_AT + PREDICATE_SIZE, 14) == 0;
}

static bool
find_exits(struct bytes text, uint32_t count, struct arena *arena, exit_list *exits)
{
    for (uint32_t i = 0; i < count; i++) {
        struct instruction instruction = instruction_at(text, i);

        if (opcode_of(&instruction) != OP_EXIT)
            continue;
        if (!is_plain_exit(&instruction))
            return false;
        array_push(exits, arena, i);
    }
    return true;
}

static bool
has_exit(struct bytes text)
{
    for (size_t at = 0; at + INSTRUCTION_SIZE <= text.size; at += INSTRUCTION_SIZE) {
        struct instruction instruction = read_instruction(text.at + at);
        if (opcode_of(&instruction) == OP_EXIT)
            return true;
    }
    return false;
}

static uint32_t *
number_anew(uint32_t count, const exit_list *exits, uint32_t added, struct arena *arena)
{
    uint32_t *moved = arena_array(arena, (size_t)count + 1, sizeof *moved);

    for (uint32_t i = 0, next = 0; i <= count; i++) {
        moved[i] = i + next * added;
        next += next < exits->count && exits->at[next] == i;
    }
    return moved;
}

/* Exits of optimised code may stall as long, behind products of matrices. */
static bool
is_unoptimised(const struct instruction *exit)
{
    return stall_of(exit) == STALL_OF_UNOPTIMISED && wait_mask(exit) == WAITS_OF_UNOPTIMISED;
}

/* An exit with a predicate may leave time for what comes behind it, of which the guards take a part. Only long
   stalls yield to nothing else. */
static void
hurry_behind_guards(struct instruction *exit)
{
    enum { YIELDS_AT = 45, LONG_STALL = 12 };
    unsigned stall = stall_of(exit);

    stall = stall > EXIT_STALL + GUARDED_FOR ? stall - GUARDED_FOR : EXIT_STALL;
    exit->high = with_stall(exit->high, stall);
    if (stall < LONG_STALL)
        exit->high |= (uint64_t)1 << YIELDS_AT;
}

/* Without optimisation guards wait as all instructions do; the fence does not. */
static void
wait_like_exit(struct instruction *guard, const struct instruction *exit)
{
    const uint64_t operands = ((uint64_t)1 << 41) - 1;
    unsigned stall = stall_of(guard) ? STALL_OF_UNOPTIMISED : 0;

    if (opcode_of(guard) != OP_MEMBAR)
        guard->high = with_stall((guard->high & operands) | (exit->high & ~operands), stall);
}

/* The instructions that wrote predicates last, by numbers from 1 on; 0: none did. */
struct predicate_writers {
    uint32_t end; /* of what was looked at */
    uint32_t last[REGISTER_COUNT - PREDICATES];
    uint32_t unknown; /* may have written any */
};

static void
note_writer(struct predicate_writers *writers, const struct operands *operands, uint32_t number)
{
    for (unsigned i = 0; i < operands->written_count; i++) {
        unsigned first = operands->written[i].first, end = first + operands->written[i].count;
        for (unsigned r = first; r < end; r++)
            if (r >= PREDICATES)
                writers->last[r - PREDICATES] = number;
    }
}

static void
look_up_to(struct predicate_writers *writers, struct bytes text, uint32_t end)
{
    for (; writers->end < end; writers->end++) {
        struct instruction one = instruction_at(text, writers->end);
        struct operands operands;

        if (!is_described(&opcode_table[opcode_of(&one)], &one)) {
            writers->unknown = writers->end + 1;
            continue;
        }
        operands_of(&one, &operands);
        note_writer(writers, &operands, writers->end + 1);
    }
}

/* The last instruction before the exit that writes its predicate; false if none is known to. */
static bool
find_writer(struct predicate_writers *writers, struct bytes text, uint32_t exit,
            struct instruction *writer)
{
    struct instruction at = instruction_at(text, exit);
    struct operands operands;
    uint32_t last = 0;

    look_up_to(writers, text, exit);
    operands_of(&at, &operands);
    for (unsigned i = 0; i < operands.read_count; i++) {
        unsigned first = operands.read[i].first, end = first + operands.read[i].count;
        for (unsigned r = first; r < end; r++)
            if (r >= PREDICATES && writers->last[r - PREDICATES] > last)
                last = writers->last[r - PREDICATES];
    }
    if (!last || last < writers->unknown)
        return false;
    *writer = instruction_at(text, last - 1);
    return true;
}

/* Those of an exit's waits that are for its predicate: what guards it has to wait for it first. */
static unsigned
waits_for_predicate(struct predicate_writers *writers, struct bytes text, uint32_t exit)
{
    enum { ALWAYS = 7 };
    struct instruction at = instruction_at(text, exit), writer;

    if ((guard_of(&at) & ALWAYS) == ALWAYS || !wait_mask(&at) || is_unoptimised(&at))
        return 0;
    if (!find_writer(writers, text, exit, &writer))
        return wait_mask(&at);
    unsigned number = write_scoreboard(&writer);
    if (number == NO_SCOREBOARD)
        number = read_scoreboard(&writer);
    return wait_mask(&at) & 1u << number;
}

static void
write_guards(uint8_t *out, const struct instruction *exit, uint32_t added, unsigned waits)
{
    for (uint32_t i = 0; i < added; i++) {
        struct instruction guard = guards[EXIT_GUARDS - added + i];
        guard.low |= (uint64_t)guard_of(exit) << GUARD_AT;
        if (is_unoptimised(exit))
            wait_like_exit(&guard, exit);
        else if (opcode_of(&guard) == OP_ERRBAR)
            guard.high |= (uint64_t)waits << WAITS_AT;
        write_instruction(out + (size_t)i * INSTRUCTION_SIZE, &guard);
    }
}

/* What comes before an exit that waits for it takes two cycles, for its scoreboard to be counted up. There
   is more time behind it now, unless the guards wait for it. */
static void
hurry_before_guards(struct bytes text, uint32_t exit, unsigned waits, uint8_t *out)
{
    enum { STALL_BEFORE_WAIT = 2 };
    struct instruction at = instruction_at(text, exit), before = instruction_at(text, exit - 1);
    unsigned counted = (1u << read_scoreboard(&before)) | (1u << write_scoreboard(&before));

    if (stall_of(&before) != STALL_BEFORE_WAIT || !(wait_mask(&at) & counted) || waits & counted)
        return;
    before = read_instruction(out);
    before.high = with_stall(before.high, 1);
    write_instruction(out, &before);
}

static bool
write_guarded(struct bytes text, const struct renumbering *numbers, uint32_t added, uint8_t *out)
{
    struct predicate_writers writers = {0};

    for (uint32_t i = 0; i < numbers->count; i++) {
        struct instruction instruction = instruction_at(text, i);
        uint8_t *at = out + (size_t)numbers->moved[i] * INSTRUCTION_SIZE;

        if (!retarget(numbers, &instruction, i))
            return false;
        if (opcode_of(&instruction) == OP_EXIT) {
            unsigned waits = waits_for_predicate(&writers, text, i);
            if (i > 0)
                hurry_before_guards(text, i, waits, at - INSTRUCTION_SIZE);
            write_guards(at, &instruction, added, waits);
            instruction.high &= ~((uint64_t)waits << WAITS_AT);
            if (!is_unoptimised(&instruction))
                hurry_behind_guards(&instruction);
            at += (size_t)added * INSTRUCTION_SIZE;
        }
        write_instruction(at, &instruction);
    }
    return true;
}

bool
guard_exits(const struct leaf_kernel *kernel, uint32_t added, struct arena *arena,
            struct guarded_exits *out)
{
    struct bytes text = kernel->text;
    uint32_t count;
    exit_list exits = {0};

    *out = (struct guarded_exits){.text = text};
    if (!has_exit(text))
        return true;
    if (text.size > UINT32_MAX / 8 || !find_code_end(text, &count) ||
        !find_exits(text, count, arena, &exits))
        return false;
    struct renumbering numbers = {count, number_anew(count, &exits, added, arena), kernel};
    uint32_t written = numbers.moved[count], padded = padded_count(written);
    uint8_t *copy = arena_alloc(arena, (size_t)padded * INSTRUCTION_SIZE);
    if (!write_guarded(text, &numbers, added, copy))
        return false;
    write_padding(copy, written, padded);
    *out = (struct guarded_exits){
        {copy, (size_t)padded * INSTRUCTION_SIZE}, exits.at, exits.count, added};
    return true;
}

static uint32_t
exits_before(const struct guarded_exits *guarded, uint64_t instruction)
{
    return count_below(guarded->exits, guarded->exit_count, instruction);
}

uint64_t
guarded_place(const struct guarded_exits *guarded, uint64_t offset)
{
    uint64_t before = exits_before(guarded, offset / INSTRUCTION_SIZE);
    return offset + before * guarded->added * INSTRUCTION_SIZE;
}

uint32_t
guarded_among(const struct guarded_exits *guarded, uint32_t first, uint32_t count)
{
    return exits_before(guarded, (uint64_t)first + count) - exits_before(guarded, first);
}

static struct instruction
guarded_exit(const struct guarded_exits *guarded, uint32_t exit)
{
    uint64_t at = guarded_place(guarded, (uint64_t)exit * INSTRUCTION_SIZE);

    return read_instruction(guarded->text.at + at + (uint64_t)guarded->added * INSTRUCTION_SIZE);
}

unsigned
guard_of_exit(const struct guarded_exits *guarded, uint32_t exit)
{
    struct instruction instruction = guarded_exit(guarded, exit);

    return guard_of(&instruction);
}

unsigned
predicate_of_exit(const struct guarded_exits *guarded, uint32_t exit)
{
    struct instruction instruction = guarded_exit(guarded, exit);

    return field(instruction.high, PREDICATE_AT, PREDICATE_SIZE);
}
