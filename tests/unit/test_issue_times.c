/*
 * test_issue_times.c: when compilers let instructions issue.
 */
#include "link_state.h"

#include "mercury/issue_times.h"
#include "mercury/issue_units.h"
#include "schedule/opcodes.h"

enum { NO_SCOREBOARDS = 0x3f << 5 };

static uint64_t
control(unsigned stall)
{
    return (uint64_t)(NO_SCOREBOARDS | stall) << 41;
}

/* IADD3 of a register and a number. */
static struct instruction
sum(unsigned to, unsigned from, unsigned stall)
{
    return (struct instruction){0x7810 | to << 16 | from << 24, 0x7ffe0ff | control(stall)};
}

/* IMAD of a register and a number. */
static struct instruction
product(unsigned to, unsigned from, unsigned stall)
{
    return (struct instruction){0x7824 | to << 16 | from << 24, 0x78e00ff | control(stall)};
}

/* MOV of a register. */
static struct instruction
move(unsigned to, unsigned from, unsigned stall)
{
    return (struct instruction){0x7202 | to << 16 | (uint64_t)from << 32, 0xf00 | control(stall)};
}

static size_t
odd(const struct instruction *code, size_t count, unsigned target)
{
    uint8_t text[8 * INSTRUCTION_SIZE];
    struct arena arena, scratch;

    arena_init(&arena, NULL);
    arena_init_scratch(&scratch, &arena);
    for (size_t i = 0; i < count; i++)
        write_instruction(text + i * INSTRUCTION_SIZE, &code[i]);
    size_t at = find_odd_stall(issue_clock_new(target, &scratch),
                               (struct bytes){text, count * INSTRUCTION_SIZE});
    arena_free_all(&arena);
    return at;
}
#define ODD(target, ...)                                                                           \
    odd((const struct instruction[]){__VA_ARGS__},                                                 \
        sizeof((const struct instruction[]){__VA_ARGS__}) / sizeof(struct instruction), target)

static void
results_are_waited_for(void **state)
{
    (void)state;
    assert_int_equal(ODD(100, sum(2, 1, 4), sum(3, 2, 4)), SIZE_MAX);
    assert_int_equal(ODD(100, sum(2, 1, 3), sum(3, 2, 4)), 0);
    assert_int_equal(ODD(100, sum(2, 1, 5), product(3, 2, 4)), SIZE_MAX);
    assert_int_equal(ODD(100, sum(2, 1, 4), product(3, 2, 4)), 0);
    assert_int_equal(ODD(100, product(2, 1, 2), product(4, 1, 2), product(3, 2, 4)), SIZE_MAX);
}

static void
nothing_else_is(void **state)
{
    (void)state;
    assert_int_equal(ODD(100, sum(2, 1, 5), sum(3, 2, 4)), 0);
    assert_int_equal(ODD(100, sum(2, 1, 2), sum(5, 1, 4), sum(3, 2, 4)), 16);
    assert_int_equal(ODD(100, sum(2, 1, 4), sum(3, 1, 4)), 0);
}

static void
targets_differ(void **state)
{
    (void)state;
    assert_int_equal(ODD(100, move(2, 1, 4), move(3, 2, 4)), SIZE_MAX);
    assert_int_equal(ODD(120, move(2, 1, 4), move(3, 2, 4)), 0);
    assert_int_equal(ODD(120, move(2, 1, 5), move(3, 2, 4)), SIZE_MAX);
    assert_int_equal(ODD(90, sum(2, 1, 3), sum(3, 2, 4)), SIZE_MAX);
}

static void
operands_of_all_are_known(void **state)
{
    (void)state;
    for (unsigned opcode = 0; opcode < 4096; opcode++)
        if (issue_units[opcode] != UNKNOWN && !opcode_table[opcode].known)
            fail_msg("opcode 0x%x", opcode);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(results_are_waited_for),
        cmocka_unit_test(nothing_else_is),
        cmocka_unit_test(targets_differ),
        cmocka_unit_test(operands_of_all_are_known),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
