#include "schedule/verify.h"

#include "schedule/guarantees.h"

/* A stall may be longer, and must be long enough for the next instruction to see the scoreboard. */
static bool
stalls_hold(const struct code *code, uint32_t at, const struct instruction *new, unsigned next_wait)
{
    if (stall_of(new) < stall_of(&code->instructions[at]))
        return false;
    return !(scoreboard_mask(new) & next_wait) || stall_of(new) >= LEAST_STALL_BEFORE_WAIT;
}

static bool
all_stalls_hold(const struct code *code, struct bytes rewritten, const uint8_t *new_waits)
{
    for (uint32_t i = 0; i < code->count; i++) {
        struct instruction new = read_instruction(rewritten.at + (size_t)i * INSTRUCTION_SIZE);
        if (!stalls_hold(code, i, &new, i + 1 < code->count ? new_waits[i + 1] : 0))
            return false;
    }
    return true;
}

static const char *
find_wrong_scoreboard(const struct code *code, uint32_t at, const struct instruction *new)
{
    const struct instruction *old = &code->instructions[at];
    bool had = write_scoreboard(old) != NO_SCOREBOARD;
    bool has = write_scoreboard(new) != NO_SCOREBOARD;
    bool may_go = at == 0 && code->stack_load != NO_PRODUCER && !code->uses_stack_pointer;

    if (read_scoreboard(new) == SCOREBOARDS || write_scoreboard(new) == SCOREBOARDS)
        return "a scoreboard that does not exist";
    if ((read_scoreboard(new) == NO_SCOREBOARD) != (read_scoreboard(old) == NO_SCOREBOARD))
        return "a scoreboard that would come or go";
    if (had != has && (has || !may_go))
        return "a scoreboard that would come or go";
    return NULL;
}

/* Only scoreboards may differ, and none may come or go but that of R1's load, if nobody uses it. */
static const char *
find_wrong_word(const struct code *code, struct bytes rewritten)
{
    if (rewritten.size != (size_t)code->count * INSTRUCTION_SIZE)
        return "a text of another size";
    for (uint32_t i = 0; i < code->count; i++) {
        const struct instruction *old = &code->instructions[i];
        struct instruction new = read_instruction(rewritten.at + (size_t)i * INSTRUCTION_SIZE);
        if (new.low != old->low || (new.high ^ old->high) & ~(SCOREBOARD_BITS | STALL_BITS))
            return "code that differs in more than scoreboards";
        const char *wrong = find_wrong_scoreboard(code, i, &new);
        if (wrong)
            return wrong;
    }
    return NULL;
}

/* The schedule of a text with the same producers. */
static struct schedule
read_schedule(const struct code *code, struct bytes text)
{
    uint8_t *waits = arena_array(code->arena, code->count, 1);
    uint8_t *numbers = arena_array(code->arena, (size_t)code->producer_count + 1, 1);

    for (uint32_t i = 0; i < code->count; i++) {
        struct instruction instruction = read_instruction(text.at + (size_t)i * INSTRUCTION_SIZE);
        waits[i] = (uint8_t)wait_mask(&instruction);
        for (uint32_t p = code->first_producer[i]; p < producers_end(code, i); p++)
            numbers[p] = (uint8_t)(code->producers[p].reads ? read_scoreboard(&instruction)
                                                            : write_scoreboard(&instruction));
    }
    return (struct schedule){waits, numbers};
}

bool
schedule_of_code_holds(struct code *code, const struct leaf_kernel *kernel, struct bytes rewritten,
                       const char **reason)
{
    if (!code_follow_in_full(code, kernel, reason))
        return false;
    *reason = find_wrong_word(code, rewritten);
    if (*reason)
        return false;
    struct schedule old = read_schedule(code, kernel->text);
    struct schedule new = read_schedule(code, rewritten);
    if (!all_stalls_hold(code, rewritten, new.waits))
        *reason = "a wait that would come too early";
    else
        *reason = find_broken_guarantee(code, &old, &new);
    return !*reason;
}

bool
schedule_holds(const struct leaf_kernel *kernel, struct bytes rewritten, struct arena *arena,
               const char **reason)
{
    struct code code;

    return code_open(&code, kernel, FLOW_AS_COMPILED, arena, reason) &&
           schedule_of_code_holds(&code, kernel, rewritten, reason);
}
