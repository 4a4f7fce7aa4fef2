/*
 * test_exits.c: exits that get instructions before them.
 */
#include "link_state.h"

#include "schedule/exits.h"
#include "schedule/retarget.h"
#include "schedule/verify.h"

#include "link_state.c"

#define EXIT_P0 0x000000000000094d, 0x000fea0003800000
#define EXIT_ALWAYS 0x000000000000794d, 0x000fea0003800000
#define NOTHING 0x0000000000007918, 0x000fc00000000000
#define BRANCH(words)                                                                              \
    0x0000000000007947 | ((uint64_t)(words)&0xff) << 16 |                                          \
        ((uint64_t)(int64_t)(words) >> 8 & 0x3fffffff) << 34,                                      \
        0x000fc00003800000 | ((uint64_t)(int64_t)(words) >> 38 & 0x3ffff)
#define BRANCH_BY_REGISTER 0x0000000004007949, 0x000fea0003800000
#define CALL_OF_START(back)                                                                        \
    0x0000000000007944 | ((uint64_t)(-4 * (back)) & 0xff) << 16 | (uint64_t)0x3fffffff << 34,      \
        0x000fc00003c3ffff                             /* from so many instructions behind it */
#define UNKNOWN 0x000000000000715f, 0x000fc00000000000 /* something that decides where to go on */

struct program {
    struct arena arena;
    struct diag diag;
};

static struct bytes
code(const uint64_t *words, size_t count)
{
    return (struct bytes){(const uint8_t *)words, count * sizeof *words};
}

#define CODE(...) code((const uint64_t[]){__VA_ARGS__}, sizeof((const uint64_t[]){__VA_ARGS__}) / 8)

static bool
guard(struct bytes text, uint32_t added, struct arena *arena, struct guarded_exits *guarded)
{
    return guard_exits(&(struct leaf_kernel){.text = text}, added, arena, guarded);
}

static uint64_t
low(struct bytes text, size_t instruction)
{
    return read_u64(text.at + instruction * INSTRUCTION_SIZE);
}

static void
test_guards(void **state)
{
    struct program program = {0};
    struct guarded_exits guarded;
    /* 0: nothing, 1: exit, 2: branch to the exit, 3: branch to the exit behind it, 4: exit, 5: end */
    struct bytes text =
        CODE(NOTHING, EXIT_P0, BRANCH(-8), BRANCH(0), EXIT_ALWAYS, BRANCH(-4), NOTHING, NOTHING);

    (void)state;
    arena_init(&program.arena, &program.diag);
    assert_true(guard(text, EXIT_GUARDS, &program.arena, &guarded));
    assert_int_equal(guarded.exit_count, 2);
    assert_int_equal(guarded.text.size, (16 + 8) * INSTRUCTION_SIZE);
    assert_int_equal(low(guarded.text, 1), 0x0992);
    assert_int_equal(low(guarded.text, 2), 0x09ab);
    assert_int_equal(low(guarded.text, 3), 0x05ab);
    assert_int_equal(low(guarded.text, 4), 0x094d);
    assert_int_equal(low(guarded.text, 7), 0x7992);
    assert_int_equal(low(guarded.text, 10), 0x794d);
    assert_int_equal(low(guarded.text, 12), 0x7918);
    /* Both lead to the first guard of their exit. */
    struct bytes expected = CODE(BRANCH(-20), BRANCH(0));
    assert_memory_equal(guarded.text.at + 5 * INSTRUCTION_SIZE, expected.at, expected.size);
    assert_int_equal(guarded_place(&guarded, 1 * INSTRUCTION_SIZE), 1 * INSTRUCTION_SIZE);
    assert_int_equal(guarded_place(&guarded, 2 * INSTRUCTION_SIZE), 5 * INSTRUCTION_SIZE);
    assert_int_equal(guarded_among(&guarded, 0, 5), 2);
    assert_int_equal(guarded_among(&guarded, 2, 2), 0);
    assert_int_equal(guard_of_exit(&guarded, 1), 0);
    assert_int_equal(guard_of_exit(&guarded, 4), 7);
    /* A predicate beside the guard stays with the exit. */
    assert_true(guard(CODE(0x094d, 0x000fea0001800000, BRANCH(-4)), 3, &program.arena, &guarded));
    assert_int_equal(guarded.exit_count, 1);
    assert_int_equal(guard_of_exit(&guarded, 0), 0);
    assert_int_equal(predicate_of_exit(&guarded, 0), 3);
    arena_free_all(&program.arena);
}

static void
test_call_of_itself(void **state)
{
    struct program program = {0};
    struct guarded_exits guarded;

    (void)state;
    arena_init(&program.arena, &program.diag);
    assert_true(guard(CODE(EXIT_P0, CALL_OF_START(2), BRANCH(-4)), 3, &program.arena, &guarded));
    struct bytes expected = CODE(CALL_OF_START(5));
    assert_memory_equal(guarded.text.at + 4 * INSTRUCTION_SIZE, expected.at, expected.size);
    /* Another call inside the text. */
    assert_false(
        guard(CODE(NOTHING, EXIT_P0, CALL_OF_START(2), BRANCH(-4)), 3, &program.arena, &guarded));
    arena_free_all(&program.arena);
}

static void
test_what_is_left_alone(void **state)
{
    struct program program = {0};
    struct guarded_exits guarded;

    (void)state;
    arena_init(&program.arena, &program.diag);
    assert_false(guard(CODE(EXIT_ALWAYS), 3, &program.arena, &guarded)); /* no end */
    assert_false(guard(CODE(UNKNOWN, EXIT_ALWAYS, BRANCH(-4)), 3, &program.arena, &guarded));
    /* An exit of another kind; a branch out of the text; a call inside it. */
    assert_false(guard(CODE(0x794d, 0x000fea0003900000, BRANCH(-4)), 3, &program.arena, &guarded));
    assert_false(guard(CODE(BRANCH(400), EXIT_ALWAYS, BRANCH(-4)), 3, &program.arena, &guarded));
    assert_false(guard(CODE(0x7944, 0, EXIT_ALWAYS, BRANCH(-4)), 3, &program.arena, &guarded));
    /* Nothing to be done. */
    assert_true(guard(CODE(UNKNOWN), 3, &program.arena, &guarded));
    assert_int_equal(guarded.exit_count, 0);
    assert_true(guard((struct bytes){0}, 3, &program.arena, &guarded));
    arena_free_all(&program.arena);
}

/* A branch to one of those behind it, by a distance that code has computed. */
static void
test_branch_into_what_follows(void **state)
{
    struct program program = {0};
    struct guarded_exits guarded;
    const uint32_t near[] = {16, 32}, behind_an_exit[] = {16, 64}, inside[] = {24};
    struct leaf_jump jump = {0, near, 2};
    struct leaf_kernel kernel = {.text = CODE(BRANCH_BY_REGISTER, BRANCH(4), BRANCH(4), EXIT_ALWAYS,
                                              EXIT_ALWAYS, BRANCH(-4)),
                                 .jumps = &jump,
                                 .jump_count = 1};

    (void)state;
    arena_init(&program.arena, &program.diag);
    assert_true(guard_exits(&kernel, EXIT_GUARDS, &program.arena, &guarded));
    assert_int_equal(low(guarded.text, 0), 0x04007949);
    assert_int_equal(low(guarded.text, 3), 0x7992);
    jump.targets = behind_an_exit;
    assert_false(guard_exits(&kernel, EXIT_GUARDS, &program.arena, &guarded));
    jump = (struct leaf_jump){0, inside, 1};
    assert_false(guard_exits(&kernel, EXIT_GUARDS, &program.arena, &guarded));
    kernel.jump_count = 0;
    assert_false(guard_exits(&kernel, EXIT_GUARDS, &program.arena, &guarded));
    arena_free_all(&program.arena);
}

#define LOAD_R1(number) 0x0000df00ff017b82, 0x000e220000000800 | (uint64_t)(number) << 46
#define LOAD_R4(number) 0x0000e000ff047b82, 0x000e220000000800 | (uint64_t)(number) << 46
#define NOTHING_FOR(cycles) 0x0000000000007918, 0x000fe00000000000 | (uint64_t)(cycles) << 41
#define CALL(waits) 0x0000000000007943, 0x000fea0003c00000 | (uint64_t)(waits) << 52

static unsigned
waits_at(struct bytes text, size_t instruction)
{
    struct instruction one = read_instruction(text.at + instruction * INSTRUCTION_SIZE);
    return wait_mask(&one);
}

/* The exit comes late enough to wait for R1, so that the call need not; the next load has its number. */
static void
test_scoreboards_behind_guards(void **state)
{
    enum { FIRST_EXIT = 8, LOAD, THE_CALL };
    struct program program = {0};
    struct guarded_exits guarded;
    struct bytes text =
        CODE(LOAD_R1(0), NOTHING_FOR(15), NOTHING_FOR(15), NOTHING_FOR(15), NOTHING_FOR(9), EXIT_P0,
             LOAD_R4(1), CALL(3), EXIT_ALWAYS, BRANCH(-4), NOTHING);
    const char *reason;

    (void)state;
    arena_init(&program.arena, &program.diag);
    assert_true(guard(text, EXIT_GUARDS, &program.arena, &guarded));
    struct leaf_kernel kernel = {.text = guarded.text, .is_guarded = true, .may_call = true};
    struct bytes renewed = renew_behind_guards(&kernel, &program.arena);
    assert_int_equal(waits_at(guarded.text, FIRST_EXIT), 0);
    assert_int_equal(waits_at(renewed, FIRST_EXIT), 1);
    assert_int_equal(waits_at(renewed, THE_CALL), 1);
    assert_true(schedule_holds(&kernel, renewed, &program.arena, &reason));

    /* A call that does not wait for the load is refused, and so are calls that are not looked at. */
    uint8_t *damaged = memcpy(arena_alloc(&program.arena, renewed.size), renewed.at, renewed.size);
    damaged[THE_CALL * INSTRUCTION_SIZE + 14] = 0x0f;
    damaged[THE_CALL * INSTRUCTION_SIZE + 15] = 0;
    struct bytes other = {damaged, renewed.size};
    assert_int_equal(waits_at(other, THE_CALL), 0);
    assert_false(schedule_holds(&kernel, other, &program.arena, &reason));
    kernel.may_call = false;
    assert_false(schedule_holds(&kernel, renewed, &program.arena, &reason));
    arena_free_all(&program.arena);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_guards),
        cmocka_unit_test(test_branch_into_what_follows),
        cmocka_unit_test(test_scoreboards_behind_guards),
        cmocka_unit_test(test_call_of_itself),
        cmocka_unit_test(test_what_is_left_alone),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
