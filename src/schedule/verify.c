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

/* Instructions of a part that differ though they are no events; how many. */
static uint32_t
find_others_from(const struct code *code, struct bytes rewritten, uint32_t first, uint32_t end,
                 uint32_t *others)
{
    uint32_t found = 0;

    for (uint32_t i = first; i < end; i++) {
        struct instruction written = written_at(rewritten, i);

        others[found] = i;
        found += differs(&code->instructions[i], &written) & (code->next_event[i] != i);
    }
    return found;
}

/* The same of all that is looked at. Large parts are the same in both texts. */
static uint32_t
find_other_differences(const struct code *code, struct bytes rewritten, uint32_t *others)
{
    enum { PART = 16 };
    uint32_t found = 0;

    for (uint32_t i = 0, end; i < code->count; i = end) {
        end = code->count - i > PART ? i + PART : code->count;
        if (memcmp(&code->instructions[i], rewritten.at + (size_t)i * INSTRUCTION_SIZE,
                   (size_t)(end - i) * INSTRUCTION_SIZE) != 0)
            found += find_others_from(code, rewritten, i, end, others + found);
    }
    return found;
}

/* Those and the events, in one list; memory for it is behind the others. */
static const uint32_t *
merge_events(const struct code *code, const uint32_t *others, uint32_t count, uint32_t *to)
{
    uint32_t *next = to;

    for (const uint32_t *event = code->events, *end = event + code->event_count; event < end;) {
        bool is_other = count && *others < *event;
        *next++ = is_other ? *others : *event;
        others += is_other;
        count -= is_other;
        event += !is_other;
    }
    for (; count; count--)
        *next++ = *others++;
    *next = code->count;
    return to;
}

/* The schedules of both texts at their events; NULL, or what is wrong. Of words that are the same all that
   can be wrong is that they come too early. */
static const char *
read_events(const struct code *code, struct bytes rewritten, struct schedules *schedules)
{
    uint8_t *number = schedules->new_numbers;
    unsigned early = 0;
    uint32_t next = 0;

    for (const uint32_t *event = schedules->events; *event < code->count; event++) {
        uint32_t i = *event;
        struct instruction old = code->instructions[i], written = written_at(rewritten, i);

        early &= 0u - (i == next);
        next = i + 1;
        if (differs(&old, &written) || early & wait_mask(&written)) {
            const char *wrong = find_wrong_word(code, i, &written, early);
            if (wrong)
                return wrong;
        }
        early = early_mask(&written);
        schedules->old_waits[i] = (uint8_t)wait_mask(&old);
        schedules->new_waits[i] = (uint8_t)wait_mask(&written);
        *number = (uint8_t)read_scoreboard(&written);
        number += read_scoreboard(&old) != NO_SCOREBOARD;
        *number = (uint8_t)write_scoreboard(&written);
        number += write_scoreboard(&old) != NO_SCOREBOARD;
    }
    return NULL;
}

/* The schedules of both texts; NULL, or what is wrong. */
static const char *
read_schedules(const struct code *code, struct bytes rewritten, struct schedules *schedules)
{
    uint32_t *others = arena_alloc(code->arena, ((size_t)code->count + 1) * sizeof *others);
    uint32_t count = find_other_differences(code, rewritten, others);

    schedules->events = code->events;
    if (count) {
        size_t all = (size_t)code->event_count + count + 1;
        uint32_t *merged = arena_alloc(code->arena, all * sizeof *merged);
        schedules->events = merge_events(code, others, count, merged);
    }
    return read_events(code, rewritten, schedules);
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
