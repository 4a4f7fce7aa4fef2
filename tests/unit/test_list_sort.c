/*
 * test_list_sort.c: the sort that decides the order of shared variables and texture slots. It is
 * not stable; the orders it gives to equal elements are those that nvlink writes.
 */
#include "link_state.h"

#include "layout/list_sort.h"

#include "link_state.c"

enum { MAX_LIST = 64 };

static int
all_equal(const void *context, uint32_t a, uint32_t b)
{
    (void)context, (void)a, (void)b;
    return 0;
}

static int
by_key(const void *context, uint32_t a, uint32_t b)
{
    const int *keys = context;
    return keys[a] < keys[b] ? -1 : keys[a] > keys[b];
}

static void
assert_sorted(struct link_state *link, uint32_t count, list_compare compare, const void *context,
              bool odd_wins_ties, const uint32_t *expected)
{
    uint32_t list[MAX_LIST];

    for (uint32_t i = 0; i < count; i++)
        list[i] = i + 1;
    list_sort(&link->arena, list, count, compare, context, odd_wins_ties);
    for (uint32_t i = 0; i < count; i++)
        assert_int_equal(list[i], expected[i]);
}

/* Texture slots: all keys equal, evens win. The results for 2 to 5 were read from nvlink. */
static void
test_equal_keys_evens_first(void **state)
{
    static const uint32_t expected[][6] = {
        {0}, {1}, {1, 2}, {3, 1, 2}, {3, 1, 4, 2}, {1, 5, 3, 4, 2}, {1, 5, 3, 2, 6, 4},
    };
    struct link_state *link = link_state_open("sm_75", 0);

    (void)state;
    for (uint32_t n = 0; n < COUNT_OF(expected); n++)
        assert_sorted(link, n, all_equal, NULL, false, expected[n]);
    link_state_close(link);
}

/* Objects of .nv_debug.shared: larger first, odds win among equals. */
static void
test_equal_keys_odds_first(void **state)
{
    static const uint32_t expected[][5] = {
        {0}, {1}, {2, 1}, {2, 1, 3}, {2, 4, 1, 3}, {2, 4, 3, 5, 1},
    };
    struct link_state *link = link_state_open("sm_75", 0);

    (void)state;
    for (uint32_t n = 0; n < COUNT_OF(expected); n++)
        assert_sorted(link, n, all_equal, NULL, true, expected[n]);
    link_state_close(link);
}

/* The worked example of shared memory: A(8) B(12) C(100) sort to C B A. */
static void
test_different_keys_are_sorted(void **state)
{
    static const int keys[] = {0, -8, -12, -100, -36, -20};
    static const uint32_t three[] = {3, 2, 1}, five[] = {3, 4, 5, 2, 1};
    struct link_state *link = link_state_open("sm_75", 0);

    (void)state;
    for (int odd = 0; odd < 2; odd++) {
        assert_sorted(link, 3, by_key, keys, odd, three);
        assert_sorted(link, 5, by_key, keys, odd, five);
    }
    link_state_close(link);
}

/* ---- Against the definition, taken word for word ---- */

struct list {
    uint32_t at[MAX_LIST];
    uint32_t count;
};

static void
prepend(struct list *list, uint32_t item)
{
    memmove(list->at + 1, list->at, list->count++ * sizeof *list->at);
    list->at[0] = item;
}

static struct list
sort_by_definition(struct list in, const int *keys, bool odd_wins_ties)
{
    struct list even = {0}, odd = {0}, out = {0};
    uint32_t e = 0, o = 0;

    if (in.count < 2)
        return in;
    for (uint32_t i = 0; i < in.count; i++)
        prepend(i % 2 ? &odd : &even, in.at[i]);
    even = sort_by_definition(even, keys, odd_wins_ties);
    odd = sort_by_definition(odd, keys, odd_wins_ties);
    while (e < even.count && o < odd.count) {
        int difference = keys[odd.at[o]] - keys[even.at[e]];
        bool take_odd = difference < 0 || (difference == 0 && odd_wins_ties);
        out.at[out.count++] = take_odd ? odd.at[o++] : even.at[e++];
    }
    while (e < even.count)
        out.at[out.count++] = even.at[e++];
    while (o < odd.count)
        out.at[out.count++] = odd.at[o++];
    return out;
}

static void
test_agrees_with_its_definition(void **state)
{
    struct link_state *link = link_state_open("sm_75", 0);
    uint32_t random = 1;
    int keys[MAX_LIST + 1] = {0};

    (void)state;
    for (uint32_t round = 0; round < 2000; round++) {
        struct list list = {.count = round % MAX_LIST};

        for (uint32_t i = 1; i <= MAX_LIST; i++) {
            random = random * 1664525 + 1013904223;
            keys[i] = (int)(random >> 28);
        }
        for (uint32_t i = 0; i < list.count; i++)
            list.at[i] = i + 1;
        list = sort_by_definition(list, keys, round & 1);
        assert_sorted(link, list.count, by_key, keys, round & 1, list.at);
    }
    link_state_close(link);
}

static void
test_long_lists(void **state)
{
    enum { MANY = 200000 };
    struct link_state *link = link_state_open("sm_75", 0);
    uint32_t *list = arena_array(&link->arena, MANY, sizeof *list);
    int *keys = arena_array(&link->arena, MANY, sizeof *keys);

    (void)state;
    for (uint32_t i = 0; i < MANY; i++) {
        list[i] = i;
        keys[i] = (int)(i * 7919u % MANY);
    }
    list_sort(&link->arena, list, MANY, by_key, keys, true);
    for (uint32_t i = 0; i < MANY; i++)
        assert_int_equal(keys[list[i]], i);
    link_state_close(link);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_equal_keys_evens_first),
        cmocka_unit_test(test_equal_keys_odds_first),
        cmocka_unit_test(test_different_keys_are_sorted),
        cmocka_unit_test(test_agrees_with_its_definition),
        cmocka_unit_test(test_long_lists),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
