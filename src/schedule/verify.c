#include "schedule/verify.h"

#include "schedule/guarantees.h"

static const char *
find_wrong_scoreboard(const struct code *code, uint32_t at, const struct instruction *written)
{
    const struct instruction *old = &code->instructions[at];
    bool had = write_scoreboard(old) != NO_SCOREBOARD;
    bool has = write_scoreboard(written) != NO_SCOREBOARD;
    bool may_differ = at == 0 && loads_stack_pointer(old) && !code->uses_stack_pointer;

    if (read_scoreboard(written) == SCOREBOARDS || write_scoreboard(written) == SCOREBOARDS)
        return "a scoreboard that does not exist";
    if ((read_scoreboard(written) == NO_SCOREBOARD) != (read_scoreboard(old) == NO_SCOREBOARD))
        return "a scoreboard that would come or go";
    if (had != has && !may_differ)
        return "a scoreboard that would come or go";
    return NULL;
}

/*
 * One instruction of both texts. Only scoreboards may differ, and none may come or go but that of
 * R1's load, if nobody uses it: one more that counts lets nobody go on earlier. A stall may be longer, and must be long enough for the next
 * instruction to see the scoreboard: `early` are those that it must not wait for. That of R1's load,
 * before which nothing was issued, may be shorter if nobody can wait for it.
 */
static const char *
find_wrong_word(const struct code *code, uint32_t at, const struct instruction *written,
                unsigned early)
{
    const struct instruction *old = &code->instructions[at];
    uint64_t difference = written->high ^ old->high;
    bool comes_early = early & wait_mask(written);
    const char *wrong = NULL;
    bool may_be_short = stall_of(written) && write_scoreboard(written) == NO_SCOREBOARD &&
                        at == 0 && code->stack_load != NO_PRODUCER && !code->uses_stack_pointer;

    if (written->low != old->low || difference & ~(SCOREBOARD_BITS | STALL_BITS))
        return "code that differs in more than scoreboards";
    if (difference & SCOREBOARD_BITS)
        wrong = find_wrong_scoreboard(code, at, written);
    if (!wrong && (comes_early || (stall_of(written) < stall_of(old) && !may_be_short)))
        wrong = "a wait that would come too early";
    return wrong;
}

static struct instruction
written_at(struct bytes rewritten, uint32_t at)
{
    return read_instruction(rewritten.at + (size_t)at * INSTRUCTION_SIZE);
}

static bool
differs(const struct instruction *a, const struct instruction *b)
{
    return ((a->low ^ b->low) | (a->high ^ b->high)) != 0;
}

/* Where the texts are compared. */
struct reading {
    const struct code *code;
    struct bytes rewritten;
    struct difference *next;
};

/* The scoreboards that the new text has begun to count up when this instruction is issued. */
static unsigned
early_before(const struct reading *reading, uint32_t at)
{
    if (!at)
        return 0;
    struct instruction before = written_at(reading->rewritten, at - 1);
    return early_mask(&before);
}

/* An instruction that differs, and the one behind it; NULL, or what is wrong. */
static const char *
read_difference(struct reading *reading, uint32_t at)
{
    struct instruction written = written_at(reading->rewritten, at);
    const char *wrong = find_wrong_word(reading->code, at, &written, early_before(reading, at));

    *reading->next++ =
        (struct difference){at, (uint8_t)wait_mask(&written), (uint8_t)read_scoreboard(&written),
                            (uint8_t)write_scoreboard(&written)};
    if (wrong || at + 1 == reading->code->count || !early_mask(&written))
        return wrong;
    struct instruction behind = written_at(reading->rewritten, at + 1);
    return early_mask(&written) & wait_mask(&behind) ? "a wait that would come too early" : NULL;
}

static const char *
read_part(struct reading *reading, uint32_t first, uint32_t end)
{
    const char *wrong = NULL;

    for (uint32_t i = first; i < end && !wrong; i++) {
        struct instruction written = written_at(reading->rewritten, i);
        if (differs(&reading->code->instructions[i], &written))
            wrong = read_difference(reading, i);
    }
    return wrong;
}

/* What is the same in both texts can only be wrong by coming too early, and only if it did so before. */
static const char *
find_hasty(const struct reading *reading)
{
    if (!reading->code->hasty_end)
        return NULL;
    for (uint32_t i = 1; i < reading->code->count; i++) {
        struct instruction written = written_at(reading->rewritten, i);
        if (early_before(reading, i) & wait_mask(&written))
            return "a wait that would come too early";
    }
    return NULL;
}

/* What differs in all that is looked at; NULL, or what is wrong. Large parts are the same in both texts. */
static const char *
read_schedules(const struct code *code, struct bytes rewritten, struct schedules *schedules)
{
    enum { PART = 16 };
    struct difference *differences =
        arena_alloc(code->arena, ((size_t)code->count + 1) * sizeof *differences);
    struct reading reading = {code, rewritten, differences};
    const char *wrong = NULL;

    for (uint32_t i = 0, end; i < code->count && !wrong; i = end) {
        end = code->count - i > PART ? i + PART : code->count;
        if (memcmp(&code->instructions[i], rewritten.at + (size_t)i * INSTRUCTION_SIZE,
                   (size_t)(end - i) * INSTRUCTION_SIZE) != 0)
            wrong = read_part(&reading, i, end);
    }
    reading.next->at = NO_INSTRUCTION;
    *schedules = (struct schedules){differences, (uint32_t)(reading.next - differences)};
    return wrong ? wrong : find_hasty(&reading);
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
    struct schedules schedules;
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
