/*
 * test_nops.c: the NOPs of CUDA 12 behind instructions at which a warp converges.
 */
#include "link_state.h"

#include "schedule/leaf.h"
#include "schedule/nops.h"

#include "link_state.c"

enum { NO_WAIT = 0, STALL_AT = 41, MOST = 24 };

#define NO_SCOREBOARDS (uint64_t)0x000fc00000000000

static const struct instruction converge = {0x7948, NO_SCOREBOARDS | 0x3800000};
static const struct instruction nop = {0x7918, NO_SCOREBOARDS};
static const struct instruction add = {0x0000000104047810, NO_SCOREBOARDS | 0x7ffe0ff};
static const struct instruction compare = {0x000000010400780c, NO_SCOREBOARDS | 0x3f05270};
static const struct instruction barrier = {0x00c0000000007b1d, NO_SCOREBOARDS | 0x10000};
static const struct instruction self_branch = {0xfffffffc00fc7947, NO_SCOREBOARDS | 0x383ffff};

static struct instruction
stalls(struct instruction instruction, unsigned stall)
{
    instruction.high = with_stall(instruction.high, stall);
    return instruction;
}

static struct instruction
waits(struct instruction instruction, unsigned mask)
{
    instruction.high |= (uint64_t)mask << 52;
    return instruction;
}

#define YIELD ((uint64_t)1 << 45)

static struct instruction
yields(struct instruction instruction)
{
    instruction.high |= YIELD;
    return instruction;
}

struct text {
    uint8_t bytes[MOST * INSTRUCTION_SIZE];
    struct arena arena;
    struct leaf_result result;
};

/* The code, a branch to itself and padding, as CUDA 12 would have compiled it. */
static void
rewrite(struct text *text, const struct instruction *code, uint32_t count)
{
    uint32_t i = 0;

    for (; i < count; i++)
        write_instruction(text->bytes + (size_t)i * INSTRUCTION_SIZE, &code[i]);
    write_instruction(text->bytes + (size_t)i++ * INSTRUCTION_SIZE, &self_branch);
    for (; i < MOST; i++)
        write_instruction(text->bytes + (size_t)i * INSTRUCTION_SIZE, &nop);
    arena_init(&text->arena, NULL);
    struct leaf_kernel kernel = {
        .text = {text->bytes, sizeof text->bytes}, .sm = 100, .is_of_cuda_12 = true};
    text->result = code_rewrite(&kernel, &text->arena);
}

/* The stall of the instruction before the NOP that went; 0: none did. */
static unsigned
stall_of_first(const struct instruction *code, uint32_t count)
{
    struct text text;
    unsigned stall = 0;

    rewrite(&text, code, count);
    assert_int_equal(text.result.verdict, LEAF_NOT_LEAF);
    for (uint32_t i = 0; text.result.removed_count && i < count; i++) {
        struct instruction instruction =
            read_instruction(text.result.text.at + (size_t)i * INSTRUCTION_SIZE);
        if (converges(&instruction))
            stall = stall_of(&instruction);
        assert_false(stall_of(&instruction) >= 12 && instruction.high & YIELD);
    }
    arena_free_all(&text.arena);
    return stall;
}

#define CODE(...)                                                                                  \
    (struct instruction[]){__VA_ARGS__}, COUNT_OF(((struct instruction[]){__VA_ARGS__}))

static void
test_time_is_kept_where_it_may_be_needed(void **state)
{
    (void)state;
    assert_int_equal(stall_of_first(CODE(stalls(converge, 5), stalls(nop, 1), barrier)), 5);
    assert_int_equal(stall_of_first(CODE(stalls(converge, 5), stalls(nop, 2), barrier)), 7);
    /* Sums are there in time, comparisons may not be. */
    assert_int_equal(
        stall_of_first(CODE(stalls(add, 1), stalls(converge, 5), stalls(nop, 1), barrier)), 5);
    assert_int_equal(
        stall_of_first(CODE(stalls(compare, 1), stalls(converge, 5), stalls(nop, 1), barrier)), 6);
    assert_int_equal(stall_of_first(CODE(stalls(compare, 15), stalls(add, 2), stalls(converge, 5),
                                         stalls(nop, 1), barrier)),
                     5);
    /* What takes long does not yield. */
    assert_int_equal(stall_of_first(CODE(yields(stalls(converge, 5)), stalls(nop, 6), barrier)),
                     11);
    assert_int_equal(stall_of_first(CODE(yields(stalls(converge, 5)), stalls(nop, 7), barrier)),
                     12);
    /* Code that is not optimised. */
    assert_int_equal(stall_of_first(CODE(stalls(compare, 15), waits(stalls(converge, 15), 3),
                                         waits(stalls(nop, 15), 3), barrier)),
                     15);
}

static void
test_other_nops_stay(void **state)
{
    struct instruction guarded = {0x0918, nop.high};

    (void)state;
    assert_int_equal(stall_of_first(CODE(stalls(add, 5), stalls(nop, 1), barrier)), 0);
    assert_int_equal(stall_of_first(CODE(stalls(converge, 5), barrier, stalls(nop, 1))), 0);
    assert_int_equal(stall_of_first(CODE(stalls(converge, 5), stalls(guarded, 1), barrier)), 0);
    assert_int_equal(stall_of_first(CODE(stalls(converge, 5), waits(stalls(nop, 1), 2), barrier)),
                     0);
    assert_int_equal(stall_of_first(CODE(stalls(converge, 9), stalls(nop, 7), barrier)), 0);
    assert_int_equal(stall_of_first(CODE(stalls(converge, 15), stalls(nop, 4), barrier)), 0);
    assert_int_equal(stall_of_first(CODE(stalls(converge, 15), stalls(nop, 15), barrier)), 0);
}

/* A place at the NOP is one of the instruction before it. */
static void
test_places_move(void **state)
{
    struct text text;
    struct leaf_kernel kernel = {.text = {text.bytes, sizeof text.bytes}};

    (void)state;
    rewrite(&text, CODE(add, stalls(converge, 5), stalls(nop, 1), barrier));
    assert_int_equal(text.result.removed_count, 1);
    assert_int_equal(leaf_moved(&kernel, &text.result, 0x10), 0x10);
    assert_int_equal(leaf_moved(&kernel, &text.result, 0x20), 0x10);
    assert_int_equal(leaf_moved(&kernel, &text.result, 0x30), 0x20);
    arena_free_all(&text.arena);
}

/* What a comparison writes is needed by what it guards, and by nothing else. */
static void
test_time_is_not_needed_by_others(void **state)
{
    const uint64_t second = 1; /* predicate */
    struct instruction guarded = barrier, compare_second = compare;

    (void)state;
    guarded.low = (guarded.low & ~(uint64_t)0xf000) | second << 12;
    compare_second.high |= second << 17;
    assert_int_equal(stall_of_first(CODE(stalls(compare_second, 4), stalls(converge, 5),
                                         stalls(nop, 1), stalls(barrier, 8), barrier)),
                     5);
    assert_int_equal(stall_of_first(CODE(stalls(compare_second, 4), stalls(converge, 5),
                                         stalls(nop, 1), stalls(guarded, 8), barrier)),
                     6);
}

/* NOPs behind the longest stall: the shortest comes last, and does not yield. */
static void
test_long_stalls(void **state)
{
    struct instruction yielding = yields(stalls(nop, 4));
    struct text text;

    (void)state;
    rewrite(&text, CODE(stalls(add, 15), yielding, stalls(nop, 15), stalls(nop, 15), barrier));
    assert_int_equal(text.result.removed_count, 0);
    for (uint32_t i = 1; i < 4; i++) {
        struct instruction instruction =
            read_instruction(text.result.text.at + (size_t)i * INSTRUCTION_SIZE);
        assert_int_equal(stall_of(&instruction), i < 3 ? 15 : 4);
        assert_false(instruction.high & YIELD);
    }
    arena_free_all(&text.arena);
    /* Elsewhere they stay as they are. */
    rewrite(&text, CODE(stalls(add, 5), yielding, stalls(nop, 15), barrier));
    assert_ptr_equal(text.result.text.at, text.bytes);
    arena_free_all(&text.arena);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_time_is_kept_where_it_may_be_needed),
        cmocka_unit_test(test_other_nops_stay),
        cmocka_unit_test(test_places_move),
        cmocka_unit_test(test_time_is_not_needed_by_others),
        cmocka_unit_test(test_long_stalls),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
