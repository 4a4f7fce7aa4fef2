/*
 * test_schedule_verifier.c: the verifier of new scoreboards refuses whatever drops a dependency.
 *
 * Proven renamings are damaged in every way that one field allows, and random kernels get random
 * schedules; leaf_program.c follows all paths of these and says which drop a dependency.
 */
#include "leaf_program.h"

#include "schedule/verify.h"

#include "leaf_program.c"

/* --- kernels ------------------------------------------------------------------------------------ */

static const struct program programs[] = {
    {.name = "two loads, each with its own wait",
     .count = 6,
     .steps = {WRITES(LOAD_STACK_POINTER, 1, RZ, 0, 0), WRITES(LOAD, 4, 2, 2, 0),
               WRITES(LOAD, 5, 8, 3, 0), STEP(ADD, 6, 4, 4, 0x4), STEP(ADD, 7, 6, 5, 0x8),
               STEP(END, RZ, RZ, RZ, 0)}},
    {.name = "two functions that share a scoreboard",
     .count = 6,
     .steps = {WRITES(LOAD_STACK_POINTER, 1, RZ, 0, 0), WRITES(FUNCTION, 4, 2, 1, 0),
               WRITES(FUNCTION, 5, 3, 1, 0), STEP(ADD, 6, 4, 5, 0x2), STEP(ADD, 7, 6, 5, 0),
               STEP(END, RZ, RZ, RZ, 0)}},
    {.name = "a wait where two ways meet",
     .count = 9,
     .steps = {WRITES(LOAD_STACK_POINTER, 1, RZ, 0, 0), STEP(COMPARE, RZ, 2, 3, 0),
               GOTO(BRANCH, 5, 0), WRITES(FUNCTION, 4, 2, 1, 0), GOTO(JUMP, 6, 0),
               WRITES(FUNCTION, 4, 3, 1, 0), STEP(ADD, 5, 4, 4, 0x2), STEP(ADD, 6, 5, 5, 0),
               STEP(END, RZ, RZ, RZ, 0)}},
    {.name = "a load for the next round of a loop",
     .count = 8,
     .steps = {WRITES(LOAD_STACK_POINTER, 1, RZ, 0, 0), WRITES(LOAD, 4, 2, 5, 0),
               STEP(ADD, 6, 4, 6, 0x20), WRITES(LOAD, 4, 2, 5, 0), STEP(COMPARE, RZ, 6, 7, 0),
               GOTO(BRANCH, 2, 0), STEP(ADD, 8, 4, 4, 0x20), STEP(END, RZ, RZ, RZ, 0)}},
    {.name = "operands that a loop overwrites",
     .count = 8,
     .steps = {WRITES(LOAD_STACK_POINTER, 1, RZ, 0, 0), STEP(ADD, 6, 8, 9, 0x2),
               STEP(ADD, 7, 6, 9, 0), READS(STORE, 6, 2, 1, 0), STEP(COMPARE, RZ, 8, 9, 0),
               GOTO(BRANCH, 1, 0), STEP(ADD, 6, 8, 9, 0x2), STEP(END, RZ, RZ, RZ, 0)}},
    {.name = "a wait behind an exit that some threads take",
     .count = 8,
     .steps = {WRITES(LOAD_STACK_POINTER, 1, RZ, 0, 0), WRITES(FUNCTION, 4, 2, 1, 0),
               STEP(COMPARE, RZ, 2, 3, 0), GOTO(BRANCH, 6, 0), STEP(ADD, 5, 4, 4, 0x2),
               STEP(END, RZ, RZ, RZ, 0), STEP(ADD, 7, 4, 4, 0x2), STEP(END, RZ, RZ, RZ, 0)}},
    {.name = "a jump table",
     .count = 9,
     .steps = {WRITES(LOAD_STACK_POINTER, 1, RZ, 0, 0), WRITES(FUNCTION, 4, 2, 1, 0),
               STEP(INDIRECT_JUMP, RZ, 8, RZ, 0), STEP(ADD, 5, 4, 4, 0x2), GOTO(JUMP, 8, 0),
               STEP(ADD, 6, 4, 4, 0x2), GOTO(JUMP, 8, 0), STEP(ADD, 7, 4, 4, 0x2),
               STEP(END, RZ, RZ, RZ, 0)},
     .jump_targets = {3, 5, 7},
     .jump_target_count = 3},
    {.name = "a fence that waits for a load",
     .count = 6,
     .steps = {WRITES(LOAD_STACK_POINTER, 1, RZ, 0, 0), WRITES(LOAD, 4, 2, 2, 0),
               STEP(FENCE, RZ, RZ, RZ, 0x4), READS(STORE, 4, 8, 1, 0), STEP(ADD, 4, 6, 6, 0x2),
               STEP(END, RZ, RZ, RZ, 0)}},
    {.name = "a wait two branches behind its function",
     .count = 11,
     .steps = {WRITES(LOAD_STACK_POINTER, 1, RZ, 0, 0), WRITES(FUNCTION, 4, 2, 1, 0),
               STEP(COMPARE, RZ, 2, 3, 0), GOTO(BRANCH, 8, 0), STEP(ADD, 6, 7, 7, 0),
               STEP(COMPARE, RZ, 6, 3, 0), GOTO(BRANCH, 9, 0), STEP(ADD, 5, 4, 4, 0x2),
               STEP(END, RZ, RZ, RZ, 0), STEP(ADD, 7, 4, 4, 0x2), STEP(END, RZ, RZ, RZ, 0)}},
};

#define COUNT_OF(table) (sizeof(table) / sizeof *(table))

static const char *
refusal(const struct leaf_kernel *kernel, struct bytes text)
{
    struct arena arena;
    const char *reason = NULL;

    arena_init(&arena, NULL);
    bool holds = schedule_holds(kernel, text, &arena, &reason);
    arena_free_all(&arena);
    assert_true(holds == (reason == NULL));
    return reason;
}

/* --- damage to one field ------------------------------------------------------------------------ */

struct tally {
    unsigned dropped, harmless, accepted;
};

static void
judge(const struct program *program, const struct leaf_kernel *kernel, struct bytes text,
      struct tally *tally)
{
    bool drops = drops_dependency(program, text);
    const char *reason = refusal(kernel, text);

    if (drops && !reason)
        fail_msg("%s: a renaming that drops a dependency was taken for proven", program->name);
    tally->dropped += drops;
    tally->harmless += !drops;
    tally->accepted += !reason;
}

/* Every wait bit turned, and every other value in place of every number. */
static void
damage_step(const struct program *program, const struct leaf_kernel *kernel, struct bytes text,
            uint32_t at, struct tally *tally)
{
    uint8_t copy[MOST_STEPS * INSTRUCTION_SIZE];
    struct step_scoreboards good = scoreboards_at(text, at), bad;

    memcpy(copy, text.at, text.size);
    for (unsigned i = 0; i < SCOREBOARDS; i++) {
        bad = good;
        bad.wait ^= 1u << i;
        set_scoreboards(copy, at, bad);
        judge(program, kernel, (struct bytes){copy, text.size}, tally);
    }
    for (unsigned i = 0; i < 2 * SCOREBOARDS; i++) {
        bad = good;
        unsigned *number = i % 2 ? &bad.write : &bad.read;
        if (*number == NONE || *number == i / 2)
            continue;
        *number = i / 2;
        set_scoreboards(copy, at, bad);
        judge(program, kernel, (struct bytes){copy, text.size}, tally);
    }
}

/* Two steps exchange their numbers, their waits, or both. */
static void
exchange(const struct program *program, const struct leaf_kernel *kernel, struct bytes text,
         uint32_t a, uint32_t b, struct tally *tally)
{
    struct step_scoreboards first = scoreboards_at(text, a), second = scoreboards_at(text, b);

    for (unsigned what = 1; what < 4; what++) {
        uint8_t copy[MOST_STEPS * INSTRUCTION_SIZE];
        struct step_scoreboards x = first, y = second;
        memcpy(copy, text.at, text.size);
        if (what & 1)
            x.wait = second.wait, y.wait = first.wait;
        if (what & 2 && first.write != NONE && second.write != NONE)
            x.write = second.write, y.write = first.write;
        set_scoreboards(copy, a, x);
        set_scoreboards(copy, b, y);
        judge(program, kernel, (struct bytes){copy, text.size}, tally);
    }
}

static void
test_damaged_renamings_are_refused(void **state)
{
    struct tally tally = {0};

    (void)state;
    for (unsigned p = 0; p < COUNT_OF(programs); p++) {
        struct assembled assembled;
        struct arena arena;
        arena_init(&arena, NULL);
        assemble(&programs[p], &assembled);
        struct leaf_result result = leaf_rewrite(&assembled.kernel, &arena);
        assert_int_equal(result.verdict, LEAF_REWRITTEN);
        assert_int_equal(result.text.size, assembled.kernel.text.size);
        assert_false(drops_dependency(&programs[p], result.text));
        for (uint32_t at = 0; at < programs[p].count; at++) {
            damage_step(&programs[p], &assembled.kernel, result.text, at, &tally);
            for (uint32_t other = 0; other < at; other++)
                exchange(&programs[p], &assembled.kernel, result.text, other, at, &tally);
        }
        arena_free_all(&arena);
    }
    assert_true(tally.dropped > 100);
    /* What does no harm is seen not to. */
    assert_int_equal(tally.accepted, tally.harmless);
}

/* --- random kernels with random schedules ------------------------------------------------------- */

static uint32_t
next_random(uint32_t *seed)
{
    *seed = *seed * 1664525 + 1013904223;
    return *seed >> 8;
}

static struct step
random_step(uint32_t *seed, uint32_t count)
{
    static const enum step_kind kinds[] = {LOAD,     LOAD,   LOAD_CONSTANT, STORE, FUNCTION,
                                           FUNCTION, ADD,    ADD,           ADD,   FENCE,
                                           COMPARE,  BRANCH, JUMP};
    struct step step = {.kind = kinds[next_random(seed) % COUNT_OF(kinds)]};

    step.a = (uint8_t)(4 + next_random(seed) % 4);
    step.b = (uint8_t)(4 + next_random(seed) % 4);
    step.c = (uint8_t)(4 + next_random(seed) % 4);
    step.target = (uint8_t)(1 + next_random(seed) % (count - 1));
    step.write = step.read = NONE;
    if (step.kind == LOAD || step.kind == LOAD_CONSTANT || step.kind == FUNCTION)
        step.write = (uint8_t)(next_random(seed) % 3);
    if (step.kind == LOAD || step.kind == LOAD_CONSTANT || step.kind == STORE)
        step.read = next_random(seed) % 2 ? NONE : (uint8_t)(next_random(seed) % 3);
    step.wait = next_random(seed) % 3 ? 0 : (uint8_t)(next_random(seed) % 8);
    return step;
}

static struct program
random_program(uint32_t *seed)
{
    struct program program = {.name = "a random kernel", .count = 6 + next_random(seed) % 9};

    program.steps[0] = (struct step)WRITES(LOAD_STACK_POINTER, 1, RZ, 0, 0);
    for (uint32_t i = 1; i + 1 < program.count; i++)
        program.steps[i] = random_step(seed, program.count);
    program.steps[program.count - 1] = (struct step)STEP(END, RZ, RZ, RZ, 0);
    return program;
}

static unsigned
renumbered(unsigned mask, const uint8_t *order)
{
    unsigned result = 0;

    for (unsigned i = 0; i < SCOREBOARDS; i++)
        result |= (mask >> i & 1) << order[i];
    return result;
}

/* All numbers replaced by others, one for one. The load of R1 loses its own. */
static void
renumber(const struct program *program, const uint8_t *order, uint8_t *text)
{
    for (uint32_t i = 0; i < program->count; i++) {
        struct step_scoreboards now = {program->steps[i].write, program->steps[i].read,
                                       renumbered(program->steps[i].wait, order)};
        if (now.write != NONE)
            now.write = i ? order[now.write] : NONE;
        if (now.read != NONE)
            now.read = order[now.read];
        set_scoreboards(text, i, now);
    }
}

static void
test_random_renamings(void **state)
{
    static const uint8_t orders[][SCOREBOARDS] = {
        {0, 1, 2, 3, 4, 5}, {1, 2, 0, 3, 4, 5}, {5, 4, 3, 2, 1, 0}};
    struct tally tally = {0};
    uint32_t seed = 1;

    (void)state;
    for (unsigned n = 0; n < 600; n++) {
        struct program program = random_program(&seed);
        struct assembled assembled;
        uint8_t text[MOST_STEPS * INSTRUCTION_SIZE];
        assemble(&program, &assembled);
        struct bytes renamed = {text, assembled.kernel.text.size};
        memcpy(text, assembled.bytes, renamed.size);
        renumber(&program, orders[n % COUNT_OF(orders)], text);
        assert_null(refusal(&assembled.kernel, renamed));
        for (uint32_t at = 1; at < program.count; at++)
            damage_step(&program, &assembled.kernel, renamed, at, &tally);
    }
    assert_true(tally.dropped > 2000);
    assert_true(tally.accepted * 100 > tally.harmless * 95);
}

/* What the rewriting makes of random kernels drops nothing, proven or not. */
static void
test_random_kernels_are_rewritten_safely(void **state)
{
    uint32_t seed = 2;
    unsigned rewritten = 0;

    (void)state;
    for (unsigned n = 0; n < 3000; n++) {
        struct program program = random_program(&seed);
        struct assembled assembled;
        struct arena arena;
        arena_init(&arena, NULL);
        assemble(&program, &assembled);
        struct leaf_result result = leaf_rewrite(&assembled.kernel, &arena);
        rewritten += result.verdict == LEAF_REWRITTEN;
        assert_int_equal(result.text.size, assembled.kernel.text.size);
        assert_false(drops_dependency(&program, result.text));
        arena_free_all(&arena);
    }
    assert_true(rewritten > 1000);
}

/* --- what else is refused ----------------------------------------------------------------------- */

/* Changes one bit of one word and expects this refusal. */
static void
assert_bit_refused(const struct program *program, uint32_t step, unsigned bit, const char *expected)
{
    struct assembled assembled;
    uint8_t text[MOST_STEPS * INSTRUCTION_SIZE];

    assemble(program, &assembled);
    memcpy(text, assembled.bytes, sizeof text);
    text[step * INSTRUCTION_SIZE + bit / 8] ^= (uint8_t)(1u << bit % 8);
    const char *reason =
        refusal(&assembled.kernel, (struct bytes){text, assembled.kernel.text.size});
    assert_non_null(reason);
    assert_string_equal(reason, expected);
}

static void
test_other_bits_may_not_change(void **state)
{
    enum { FIRST_STALL_BIT = 105, FIRST_SCOREBOARD_BIT = 110, END_OF_SCOREBOARD_BITS = 122 };

    (void)state;
    for (uint32_t step = 0; step < programs[0].count; step++)
        for (unsigned bit = 0; bit < 128; bit++)
            if (bit < FIRST_STALL_BIT || bit == FIRST_SCOREBOARD_BIT - 1 ||
                bit >= END_OF_SCOREBOARD_BITS)
                assert_bit_refused(&programs[0], step, bit,
                                   "code that differs in more than scoreboards");
}

static void
test_the_size_may_not_change(void **state)
{
    struct assembled assembled;

    (void)state;
    assemble(&programs[0], &assembled);
    struct bytes shorter = {assembled.bytes, assembled.kernel.text.size - INSTRUCTION_SIZE};
    assert_string_equal(refusal(&assembled.kernel, shorter), "a text of another size");
}

static void
assert_scoreboards_refused(const struct program *program, uint32_t step,
                           struct step_scoreboards scoreboards, const char *expected)
{
    struct assembled assembled;
    uint8_t text[MOST_STEPS * INSTRUCTION_SIZE];

    assemble(program, &assembled);
    memcpy(text, assembled.bytes, sizeof text);
    set_scoreboards(text, step, scoreboards);
    const char *reason =
        refusal(&assembled.kernel, (struct bytes){text, assembled.kernel.text.size});
    assert_non_null(reason);
    assert_string_equal(reason, expected);
}

static void
test_scoreboards_neither_come_nor_go(void **state)
{
    static const char moved[] = "a scoreboard that would come or go";
    static const char absent[] = "a scoreboard that does not exist";

    (void)state;
    assert_scoreboards_refused(&programs[0], 1, (struct step_scoreboards){NONE, NONE, 0}, moved);
    assert_scoreboards_refused(&programs[0], 1, (struct step_scoreboards){2, 1, 0}, moved);
    assert_scoreboards_refused(&programs[0], 3, (struct step_scoreboards){1, NONE, 4}, moved);
    assert_scoreboards_refused(&programs[0], 1, (struct step_scoreboards){6, NONE, 0}, absent);
    assert_scoreboards_refused(&programs[0], 1, (struct step_scoreboards){2, 6, 0}, absent);
    assert_scoreboards_refused(&programs[0], 3, (struct step_scoreboards){6, NONE, 4}, absent);
}

/* The load of R1 keeps its scoreboard if anything reads or writes R1, wherever that stands. */
static void
test_a_used_stack_pointer_is_waited_for(void **state)
{
    static const struct step users[] = {STEP(ADD, 6, 1, 4, 0x4),    STEP(ADD, 6, 4, 1, 0x4),
                                        STEP(ADD, 1, 4, 4, 0x4),    STEP(COMPARE, RZ, 1, 4, 0x4),
                                        STEP(STORE, 1, 8, RZ, 0x4), STEP(LOAD, 6, 0, RZ, 0x4)};
    static const struct step_scoreboards none = {NONE, NONE, 0};

    (void)state;
    for (unsigned i = 0; i < COUNT_OF(users); i++) {
        struct program program = programs[0];
        struct assembled assembled;
        struct arena arena;
        program.steps[3] = users[i];
        assert_scoreboards_refused(&program, 0, none, "a scoreboard that would come or go");
        arena_init(&arena, NULL);
        assemble(&program, &assembled);
        assert_int_equal(leaf_rewrite(&assembled.kernel, &arena).verdict, LEAF_UNCHANGED);
        arena_free_all(&arena);
    }
}

static void
set_stall(uint8_t *text, uint32_t step, unsigned stall)
{
    struct instruction instruction = read_instruction(text + step * INSTRUCTION_SIZE);

    instruction.high = with_stall(instruction.high, stall);
    write_instruction(text + step * INSTRUCTION_SIZE, &instruction);
}

/* A scoreboard is counted up one cycle after issue; a wait in the next cycle would not see it. */
static void
test_a_wait_may_not_come_too_early(void **state)
{
    static const struct step_scoreboards waits = {NONE, NONE, 0x4};
    struct assembled assembled;
    uint8_t text[MOST_STEPS * INSTRUCTION_SIZE];

    (void)state;
    assemble(&programs[0], &assembled);
    set_stall(assembled.bytes, 1, 1);
    struct bytes changed = {text, assembled.kernel.text.size};
    memcpy(text, assembled.bytes, sizeof text);
    set_scoreboards(text, 2, (struct step_scoreboards){3, NONE, 0x4});
    assert_string_equal(refusal(&assembled.kernel, changed), "a wait that would come too early");
    set_stall(text, 1, 2);
    assert_null(refusal(&assembled.kernel, changed));

    /* Nor may a stall become shorter. */
    set_scoreboards(text, 2, (struct step_scoreboards){3, NONE, 0});
    set_scoreboards(text, 3, waits);
    set_stall(text, 3, 1);
    assert_string_equal(refusal(&assembled.kernel, changed), "a wait that would come too early");
}

/* What DEPBAR counts must stay what it counts. */
static void
test_counted_operations_keep_their_number(void **state)
{
    static const struct program counted = {
        .name = "groups of copies",
        .count = 6,
        .steps = {WRITES(LOAD_STACK_POINTER, 1, RZ, 1, 0), WRITES(START_GROUP, RZ, RZ, 0, 0),
                  WRITES(FUNCTION, 4, 2, 2, 0), STEP(COUNT_DOWN, 0, 0, RZ, 0),
                  STEP(ADD, 5, 4, 4, 0x4), STEP(END, RZ, RZ, RZ, 0)}};
    static const char changed[] = "a count of operations that would change";
    struct program selective = counted;

    (void)state;
    assert_scoreboards_refused(&counted, 1, (struct step_scoreboards){3, NONE, 0}, changed);
    assert_scoreboards_refused(&counted, 2, (struct step_scoreboards){0, NONE, 0}, changed);
    /* One that names scoreboards by a mask cannot be followed. */
    selective.steps[3].a = 0;
    selective.steps[3].b = 0;
    struct assembled assembled;
    assemble(&selective, &assembled);
    assembled.bytes[3 * INSTRUCTION_SIZE + 4] |= 0x4;
    assert_string_equal(refusal(&assembled.kernel, assembled.kernel.text), changed);
}

/* A wait that no register explains has a reason all the same. */
static void
test_unexplained_waits_stay(void **state)
{
    static const struct program barrier = {
        .name = "a barrier that waits for a load",
        .count = 6,
        .steps = {WRITES(LOAD_STACK_POINTER, 1, RZ, 0, 0), WRITES(LOAD, 4, 2, 2, 0),
                  STEP(BARRIER, RZ, RZ, RZ, 0x4), STEP(ADD, 6, 7, 7, 0), STEP(ADD, 5, 4, 4, 0x4),
                  STEP(END, RZ, RZ, RZ, 0)}};

    (void)state;
    assert_scoreboards_refused(&barrier, 2, (struct step_scoreboards){NONE, NONE, 0},
                               "a dependency that would not be kept");
}

static const char *
refusal_without_wait(const struct program *program, uint32_t step)
{
    struct assembled assembled;
    uint8_t text[MOST_STEPS * INSTRUCTION_SIZE];

    assemble(program, &assembled);
    memcpy(text, assembled.bytes, sizeof text);
    set_scoreboards(text, step, (struct step_scoreboards){NONE, NONE, 0});
    return refusal(&assembled.kernel, (struct bytes){text, assembled.kernel.text.size});
}

/* Ends of blocks wait for what should be done by then. That is no reason to wait for what is slow, nor for
   others to wait. */
static void
test_ends_of_blocks_wait_without_need(void **state)
{
    static const struct program loop = {
        .name = "a loop whose first block begins behind a wait",
        .count = 7,
        .steps = {WRITES(LOAD_STACK_POINTER, 1, RZ, 0, 0), WRITES(FUNCTION, 4, 2, 1, 0),
                  STEP(ADD, 6, 7, 7, 0x2), STEP(ADD, 5, 4, 4, 0x2), STEP(COMPARE, RZ, 5, 3, 0),
                  GOTO(BRANCH, 3, 0), STEP(END, RZ, RZ, RZ, 0)}};
    struct program changed = loop;

    (void)state;
    assert_null(refusal_without_wait(&loop, 2));
    changed.steps[1].kind = LOAD;
    assert_non_null(refusal_without_wait(&changed, 2));
    changed = loop;
    changed.steps[5].target = 4; /* the block goes on */
    assert_non_null(refusal_without_wait(&changed, 2));
    changed = loop;
    changed.steps[3].wait = 0; /* nobody waits for the function any more */
    assert_non_null(refusal_without_wait(&changed, 2));
}

/* Order between threads and memories concerns all but constants. */
static void
test_constants_may_be_loaded_where_threads_are_ordered(void **state)
{
    static const struct program fence = {
        .name = "a fence with a load of constants under way",
        .count = 6,
        .steps = {WRITES(LOAD_STACK_POINTER, 1, RZ, 0, 0), WRITES(LOAD_CONSTANT, 4, RZ, 1, 0),
                  STEP(ADD, 4, 4, 4, 0x2), STEP(FENCE, RZ, RZ, RZ, 0), STEP(ADD, 5, 4, 4, 0x2),
                  STEP(END, RZ, RZ, RZ, 0)}};
    struct program shared = fence;

    (void)state;
    assert_non_null(refusal_without_wait(&fence, 2)); /* its result is used there */
    /* The wait is for another one on the same scoreboard. */
    shared.count = 7;
    memmove(&shared.steps[2], &shared.steps[1], 5 * sizeof *shared.steps);
    shared.steps[2].a = 6;
    shared.steps[3] = (struct step)STEP(ADD, 7, 6, 6, 0x2);
    struct assembled assembled;
    uint8_t text[MOST_STEPS * INSTRUCTION_SIZE];
    for (unsigned i = 0; i < 2; i++) {
        assemble(&shared, &assembled);
        memcpy(text, assembled.bytes, sizeof text);
        set_scoreboards(text, 2, (struct step_scoreboards){2, NONE, 0});
        set_scoreboards(text, 3, (struct step_scoreboards){NONE, NONE, 0x4});
        const char *reason =
            refusal(&assembled.kernel, (struct bytes){text, assembled.kernel.text.size});
        assert_int_equal(reason == NULL, i == 0);
        shared.steps[1].kind = LOAD;
    }
}

/* Operands have been read once the result is there. */
static void
test_operands_are_read_before_the_result_is_there(void **state)
{
    static const struct program load = {.name = "a load whose address is overwritten",
                                        .count = 7,
                                        .steps = {WRITES(LOAD_STACK_POINTER, 1, RZ, 0, 0),
                                                  {LOAD, 6, 2, RZ, 0, 2, 1, 0},
                                                  READS(STORE, 8, 10, 1, 0),
                                                  STEP(ADD, 8, 6, 6, 0x6),
                                                  STEP(ADD, 2, 5, 5, 0),
                                                  STEP(ADD, 9, 5, 5, 0),
                                                  STEP(END, RZ, RZ, RZ, 0)}};
    struct assembled assembled;
    uint8_t text[MOST_STEPS * INSTRUCTION_SIZE];

    (void)state;
    assemble(&load, &assembled);
    memcpy(text, assembled.bytes, sizeof text);
    struct bytes changed = {text, assembled.kernel.text.size};
    /* Another scoreboard for the operands, for which nobody waits. */
    set_scoreboards(text, 1, (struct step_scoreboards){2, 3, 0});
    assert_null(refusal(&assembled.kernel, changed));
    /* Nor for the result. */
    set_scoreboards(text, 1, (struct step_scoreboards){4, 3, 0});
    assert_non_null(refusal(&assembled.kernel, changed));
}

/* Branches that go nowhere known, and instructions that are not known. */
static void
test_what_is_not_understood_is_refused(void **state)
{
    struct program astray = programs[2], unknown = programs[0], table = programs[6];
    struct assembled assembled;

    (void)state;
    astray.steps[2].target = 200;
    assemble(&astray, &assembled);
    assert_string_equal(refusal(&assembled.kernel, assembled.kernel.text),
                        "a branch to an unknown place");
    table.jump_target_count = 0;
    assemble(&table, &assembled);
    assert_string_equal(refusal(&assembled.kernel, assembled.kernel.text),
                        "a branch to an unknown place");
    assemble(&unknown, &assembled);
    assembled.bytes[4 * INSTRUCTION_SIZE] = 0xff;
    assert_string_equal(refusal(&assembled.kernel, assembled.kernel.text),
                        "an instruction that is not known");
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_damaged_renamings_are_refused),
        cmocka_unit_test(test_random_renamings),
        cmocka_unit_test(test_random_kernels_are_rewritten_safely),
        cmocka_unit_test(test_other_bits_may_not_change),
        cmocka_unit_test(test_the_size_may_not_change),
        cmocka_unit_test(test_scoreboards_neither_come_nor_go),
        cmocka_unit_test(test_a_used_stack_pointer_is_waited_for),
        cmocka_unit_test(test_a_wait_may_not_come_too_early),
        cmocka_unit_test(test_counted_operations_keep_their_number),
        cmocka_unit_test(test_unexplained_waits_stay),
        cmocka_unit_test(test_ends_of_blocks_wait_without_need),
        cmocka_unit_test(test_constants_may_be_loaded_where_threads_are_ordered),
        cmocka_unit_test(test_operands_are_read_before_the_result_is_there),
        cmocka_unit_test(test_what_is_not_understood_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
