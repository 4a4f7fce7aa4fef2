/*
 * test_exits.c: exits that get instructions before them.
 */
#include "link_state.h"

#include "schedule/exits.h"
#include "schedule/retarget.h"

#include "link_state.c"

#define EXIT_P0 0x000000000000094d, 0x000fea0003800000
#define EXIT_ALWAYS 0x000000000000794d, 0x000fea0003800000
#define NOTHING 0x0000000000007918, 0x000fc00000000000
#define BRANCH(words)                                                                              \
    0x0000000000007947 | ((uint64_t)(words)&0xff) << 16 |                                          \
        ((uint64_t)(int64_t)(words) >> 8 & 0x3fffffff) << 34,                                      \
        0x000fc00003800000 | ((uint64_t)(int64_t)(words) >> 38 & 0x3ffff)
#define UNKNOWN 0x000000000000717f, 0x000fc00000000000 /* something that decides where to go on */

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
    assert_true(guard_exits(text, EXIT_GUARDS, &program.arena, &guarded));
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
    arena_free_all(&program.arena);
}

static void
test_what_is_left_alone(void **state)
{
    struct program program = {0};
    struct guarded_exits guarded;

    (void)state;
    arena_init(&program.arena, &program.diag);
    assert_false(guard_exits(CODE(EXIT_ALWAYS), 3, &program.arena, &guarded)); /* no end */
    assert_false(guard_exits(CODE(UNKNOWN, EXIT_ALWAYS, BRANCH(-4)), 3, &program.arena, &guarded));
    /* An exit with an operand of its own; a branch out of the text; a call inside it. */
    assert_false(
        guard_exits(CODE(0x794d, 0x000fea0000800000, BRANCH(-4)), 3, &program.arena, &guarded));
    assert_false(
        guard_exits(CODE(BRANCH(400), EXIT_ALWAYS, BRANCH(-4)), 3, &program.arena, &guarded));
    assert_false(
        guard_exits(CODE(0x7944, 0, EXIT_ALWAYS, BRANCH(-4)), 3, &program.arena, &guarded));
    /* Nothing to be done. */
    assert_true(guard_exits(CODE(UNKNOWN), 3, &program.arena, &guarded));
    assert_int_equal(guarded.exit_count, 0);
    assert_true(guard_exits((struct bytes){0}, 3, &program.arena, &guarded));
    arena_free_all(&program.arena);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_guards),
        cmocka_unit_test(test_what_is_left_alone),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
