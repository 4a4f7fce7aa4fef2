#include "schedule/verify.h"

#include "schedule/guarantees.h"

static const char too_early[] = "a wait that would come too early";

static const char *
find_wrong_scoreboard(const struct code *code, uint32_t at, const struct instruction *written)
{
    const struct instruction *old = &code->instructions[at];
    bool had = write_scoreboard(old) != NO_SCOREBOARD;
    bool has = write_scoreboard(written) != NO_SCOREBOARD;
    bool may_go = at == 0 && code->stack_load != NO_PRODUCER && !code->uses_stack_pointer;

    if (read_scoreboard(written) == SCOREBOARDS || write_scoreboard(written) == SCOREBOARDS)
        return "a scoreboard that does not exist";
    if ((read_scoreboard(written) == NO_SCOREBOARD) != (read_scoreboard(old) == NO_SCOREBOARD))
        return "a scoreboard that would come or go";
    if (had != has && (has || !may_go))
        return "a scoreboard that would come or go";
    return NULL;
}

/*
 * One instruction of both texts. Only scoreboards may differ, and none may come or go but that of
 * R1's load, if nobody uses it. A stall may be longer, and must be long enough for the next
 * instruction to see the scoreboard: `*early` are those that it must not wait for. That of R1's load,
 * before which nothing was issued, may be shorter if nobody can wait for it.
 */
static const char *
find_wrong_word(const struct code *code, uint32_t at, const struct instruction *written,
                unsigned *early)
{
    const struct instruction *old = &code->instructions[at];
    uint64_t difference = written->high ^ old->high;
    bool comes_early = *early & wait_mask(written);
    const char *wrong = NULL;
    bool may_be_short = stall_of(written) && write_scoreboard(written) == NO_SCOREBOARD &&
                        at == 0 && code->stack_load != NO_PRODUCER && !code->uses_stack_pointer;

    *early = stall_of(written) < LEAST_STALL_BEFORE_WAIT ? scoreboard_mask(written) : 0;
    if (written->low != old->low || difference & ~(SCOREBOARD_BITS | STALL_BITS))
        return "code that differs in more than scoreboards";
    if (difference & SCOREBOARD_BITS)
        wrong = find_wrong_scoreboard(code, at, written);
    if (!wrong && (comes_early || (stall_of(written) < stall_of(old) && !may_be_short)))
        wrong = too_early;
    return wrong;
}

static void
read_numbers(const struct code *code, uint32_t at, const struct instruction *written,
             uint8_t *numbers)
{
    for (uint32_t p = code->first_producer[at]; p < producers_end(code, at); p++)
        numbers[p] = (uint8_t)(code->producers[p].reads ? read_scoreboard(written)
                                                        : write_scoreboard(written));
}

/* Has it nothing to do with scoreboards? */
static bool
is_plain(const struct instruction *instruction)
{
    return (instruction->high & SCOREBOARD_BITS) == NO_SCOREBOARD_BITS &&
           opcode_of(instruction) != OP_DEPBAR;
}

/* One instruction that differs. NULL, or what is wrong. */
static const char *
read_difference(const struct code *code, uint32_t at, const struct instruction *written,
                unsigned *early, struct schedules *schedules)
{
    const char *wrong = find_wrong_word(code, at, written, early);

    if (!wrong)
        read_numbers(code, at, written, schedules->new_numbers);
    return wrong;
}

/* One with scoreboards that is the same in both texts: its numbers are those that it had. */
static const char *
read_same(const struct instruction *written, unsigned *early)
{
    bool comes_early = *early & wait_mask(written);

    *early = stall_of(written) < LEAST_STALL_BEFORE_WAIT ? scoreboard_mask(written) : 0;
    return comes_early ? too_early : NULL;
}

/* The schedules of both texts; NULL, or what is wrong. */
static const char *
read_schedules(const struct code *code, struct bytes rewritten, struct schedules *schedules)
{
    const struct instruction *old = code->instructions;
    const uint8_t *at = rewritten.at;
    uint32_t *event = schedules->events;
    unsigned early = 0;

    memcpy(schedules->new_numbers, code->numbers, code->producer_count);
    for (uint32_t i = 0, count = code->count; i < count; i++, old++, at += INSTRUCTION_SIZE) {
        struct instruction written = read_instruction(at);
        bool differs = (written.low ^ old->low) | (written.high ^ old->high);
        if (!differs && is_plain(old)) {
            early = 0;
            continue;
        }
        const char *wrong = differs ? read_difference(code, i, &written, &early, schedules)
                                    : read_same(&written, &early);
        if (wrong)
            return wrong;
        *event++ = i;
        schedules->old_waits[i] = (uint8_t)wait_mask(old);
        schedules->new_waits[i] = (uint8_t)wait_mask(&written);
    }
    *event = code->count;
    return NULL;
}

/* Passes parts of so many bytes that are the same at the end of both texts; how much is left. */
static size_t
without_equal_end(const uint8_t *a, const uint8_t *b, size_t size, size_t part)
{
    while (size >= part && !memcmp(a + size - part, b + size - part, part))
        size -= part;
    return size;
}

/* How many instructions there are up to the last that differs. */
static uint32_t
differing_count(const struct code *code, struct bytes rewritten)
{
    enum { LARGE_PART = 64 * INSTRUCTION_SIZE };
    size_t size = without_equal_end(code->text.at, rewritten.at, code->text.size, LARGE_PART);

    size = without_equal_end(code->text.at, rewritten.at, size, INSTRUCTION_SIZE);
    return (uint32_t)(size / INSTRUCTION_SIZE);
}

/* Of what is looked at; NULL, or what is wrong. */
static const char *
compare_schedules(const struct code *code, struct bytes rewritten, bool *in_step)
{
    struct schedules schedules = {
        .old_waits = arena_array(code->arena, code->count, 1),
        .new_waits = arena_array(code->arena, code->count, 1),
        .old_numbers = code->numbers,
        .new_numbers = arena_alloc(code->arena, (size_t)code->producer_count + 1),
        .events = arena_alloc(code->arena, ((size_t)code->count + 1) * sizeof *schedules.events),
    };
    const char *wrong = read_schedules(code, rewritten, &schedules);

    return wrong ? wrong : find_broken_guarantee(code, &schedules, in_step);
}

/* Behind the last difference the text need not be looked at, unless something is out of step there. */
bool
schedule_of_code_holds(struct code *code, const struct leaf_kernel *kernel, struct bytes rewritten,
                       const char **reason)
{
    if (rewritten.size != code->text.size) {
        *reason = "a text of another size";
        return false;
    }
    uint32_t least = differing_count(code, rewritten);
    bool in_step = false;
    do {
        if (!code_follow(code, kernel, FLOW_IN_FULL, least, reason))
            return false;
        *reason = compare_schedules(code, rewritten, &in_step);
        least = code->whole_count;
    } while (!*reason && !in_step);
    if (!*reason && code->waits_for_some) /* what that means is not known, wherever it stands */
        *reason = "a count of operations that would change";
    return !*reason;
}

bool
schedule_holds(const struct leaf_kernel *kernel, struct bytes rewritten, struct arena *arena,
               const char **reason)
{
    struct code code;

    return code_open(&code, kernel, arena, reason) &&
           schedule_of_code_holds(&code, kernel, rewritten, reason);
}
