/*
 * test_externals.c: sets of functions that the driver must know about.
 */
#include "link_state.h"

#include "finalize/externals.h"

#include "link_state.c"

static const struct external odd[] = {{-5, 50}, {-3, 30}, {-1, 10}};
static const struct external mixed[] = {{-4, 4}, {-3, 3}, {-1, 99}};

static void
assert_externals(struct externals found, const struct external *expected, size_t count)
{
    assert_int_equal(found.count, count);
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(found.at[i].symbol, expected[i].symbol);
        assert_int_equal(found.at[i].key, expected[i].key);
    }
}

/* What has one part, however often, is that part. */
static void
test_one_part_is_shared(void **state)
{
    struct link_state *link = link_state_open("sm_75", 0);
    struct external_union all = {.arena = &link->arena};

    (void)state;
    assert_int_equal(externals_of(&all, &link->arena).count, 0);
    for (int i = 0; i < 3; i++)
        externals_add_all(&all, (struct externals){odd, COUNT_OF(odd)});
    externals_add_all(&all, (struct externals){0});
    assert_ptr_equal(externals_of(&all, &link->arena).at, odd);
    link_state_close(link);
}

/* By symbol, each with its earliest key; what was gathered before is gone. */
static void
test_parts_are_united(void **state)
{
    static const struct external expected[] = {{-5, 50}, {-4, 4}, {-3, 3}, {-2, 2}, {-1, 10}};
    struct link_state *link = link_state_open("sm_75", 0);
    struct external_union all = {.arena = &link->arena};

    (void)state;
    externals_add(&all, (struct external){-9, 9});
    externals_clear(&all);
    externals_add_all(&all, (struct externals){odd, COUNT_OF(odd)});
    externals_add(&all, (struct external){-2, 20});
    externals_add_all(&all, (struct externals){mixed, COUNT_OF(mixed)});
    externals_add(&all, (struct external){-2, 2});
    assert_externals(externals_of(&all, &link->arena), expected, COUNT_OF(expected));
    link_state_close(link);
}

/* Many parts that say the same need no more memory than one. */
static void
test_repetitions_take_no_room(void **state)
{
    enum { PARTS = 20000, EACH = 100 };
    struct link_state *link = link_state_open("sm_75", 0);
    struct external_union all = {.arena = &link->arena};

    (void)state;
    for (uint32_t n = 0; n < PARTS; n++)
        for (int32_t i = 0; i < EACH; i++)
            externals_add(&all, (struct external){-i, n});
    struct externals found = externals_of(&all, &link->arena);
    assert_int_equal(found.count, EACH);
    for (int32_t i = 0; i < EACH; i++)
        assert_int_equal(found.at[i].key, 0);
    assert_true(all.list.capacity < 10 * EACH);
    link_state_close(link);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_part_is_shared),
        cmocka_unit_test(test_parts_are_united),
        cmocka_unit_test(test_repetitions_take_no_room),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
