/*
 * test_arena.c: memory that grows keeps its bytes, whatever kind of pages it lies in.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/array.h"
#include "base/diag.h"
#include "base/pages.h"

enum { HUGE = 2 << 20 };

static void
fill(uint8_t *at, size_t from, size_t to)
{
    for (size_t i = from; i < to; i++)
        at[i] = (uint8_t)(i * 7 + i / 4096);
}

static void
assert_filled(const uint8_t *at, size_t size)
{
    for (size_t i = 0; i < size; i++)
        if (at[i] != (uint8_t)(i * 7 + i / 4096))
            fail_msg("byte %zu of %zu", i, size);
}

static void
test_pages(void **state)
{
    static const size_t sizes[] = {HUGE / 2,     HUGE / 2 + 32,        HUGE,          HUGE + 32,
                                   HUGE + 70000, HUGE + HUGE / 2 - 32, 2 * HUGE - 32, 5 * HUGE + 1};
    enum { COUNT = COUNT_OF(sizes) };

    (void)state;
    for (size_t first = 0; first < COUNT; first++) {
        uint8_t *at = pages_take(sizes[first]);
        assert_non_null(at);
        for (size_t i = 0; i < sizes[first]; i += 4096)
            assert_int_equal(at[i], 0);
        fill(at, 0, sizes[first]);
        size_t size = sizes[first];
        for (size_t next = first + 1; next < COUNT; next++) {
            at = pages_enlarge(at, size, sizes[next]);
            assert_non_null(at);
            assert_filled(at, size);
            assert_int_equal(at[sizes[next] - 1], 0);
            fill(at, size, sizes[next]);
            size = sizes[next];
        }
        pages_expect(at + 100, size - 100);
        pages_give_back(at, size);
    }
}

/* From shared blocks to one of its own to pages. */
static void
test_growing_array(void **state)
{
    enum { COUNT = 700000 };
    struct diag diag = {0};
    struct arena arena;
    ARRAY(uint64_t) numbers = {0};
    ARRAY(uint64_t) expected = {0};

    (void)state;
    arena_init(&arena, &diag);
    array_expect(&expected, &arena, COUNT);
    const uint64_t *place = expected.at;
    for (uint64_t i = 0; i < COUNT; i++) {
        array_push(&numbers, &arena, i * i);
        array_push(&expected, &arena, i * i);
        if (i % 1000 == 0)
            memset(arena_alloc(&arena, i + 1), 0xff, i + 1);
    }
    assert_ptr_equal(expected.at, place);
    assert_memory_equal(numbers.at, expected.at, COUNT * sizeof *numbers.at);
    array_expect(&expected, &arena, 10); /* fewer than there are: nothing changes */
    assert_ptr_equal(expected.at, place);
    arena_free_all(&arena);
}

static void
test_zeroes(void **state)
{
    struct diag diag = {0};
    struct arena arena;

    (void)state;
    arena_init(&arena, &diag);
    for (size_t size = 1; size < 3 * (size_t)HUGE; size = size * 3 + 1) {
        uint8_t *memory = arena_zero(&arena, size);
        for (size_t i = 0; i < size; i++)
            if (memory[i])
                fail_msg("byte %zu of %zu", i, size);
        memset(memory, 0xff, size);
        arena_give_back(&arena, memory, size);
        memset(arena_alloc(&arena, size), 0xff, size);
    }
    arena_free_all(&arena);
}

/* Arrays that were expected together lie beside each other, and still grow one by one. */
static void
test_expected_together(void **state)
{
    enum { COUNT = 100000, MORE = 300000 };
    struct diag diag = {0};
    struct arena arena;
    ARRAY(uint32_t) first = {0}, second = {0};

    (void)state;
    arena_init(&arena, &diag);
    for (uint32_t i = 0; i < COUNT / 2; i++)
        array_push(&first, &arena, i);
    arena_expect_large(&arena, 2 * COUNT * sizeof *first.at);
    array_expect(&first, &arena, COUNT);
    array_expect(&second, &arena, COUNT);
    assert_ptr_equal(second.at, first.at + COUNT);
    for (uint32_t i = 0; i < MORE; i++) {
        array_push(&second, &arena, i);
        if (i >= COUNT / 2)
            array_push(&first, &arena, i);
    }
    assert_memory_equal(first.at, second.at, MORE * sizeof *first.at);
    for (uint32_t i = 0; i < MORE; i++)
        assert_int_equal(first.at[i], i);
    arena_free_all(&arena);
}

/* What was released is used again, whatever its size; what came before the mark stays. */
static void
test_scratch(void **state)
{
    enum { ROUNDS = 8, LARGE = 300 * 1024 };
    struct diag diag = {0};
    struct arena arena, scratch;
    uint8_t *first_large = NULL;

    (void)state;
    arena_init(&arena, &diag);
    arena_init_scratch(&scratch, &arena);
    uint8_t *kept = memset(arena_alloc(&scratch, 100), 0x11, 100);
    for (int round = 0; round < ROUNDS; round++) {
        struct arena_mark before = arena_mark(&scratch);
        ARRAY(uint32_t) numbers = {0};
        uint8_t *zeroes = arena_zero(&scratch, LARGE);

        for (size_t i = 0; i < LARGE; i++)
            if (zeroes[i])
                fail_msg("byte %zu in round %d", i, round);
        memset(zeroes, 0xff, LARGE);
        for (uint32_t i = 0; i < 20000; i++)
            array_push(&numbers, &scratch, i);
        for (uint32_t i = 0; i < 20000; i++)
            assert_int_equal(numbers.at[i], i);
        if (!round)
            first_large = zeroes;
        assert_ptr_equal(zeroes, first_large);
        arena_release(&scratch, before);
    }
    for (int i = 0; i < 100; i++)
        assert_int_equal(kept[i], 0x11);
    arena_free_all(&arena);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pages),   cmocka_unit_test(test_growing_array),
        cmocka_unit_test(test_zeroes),  cmocka_unit_test(test_expected_together),
        cmocka_unit_test(test_scratch),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
