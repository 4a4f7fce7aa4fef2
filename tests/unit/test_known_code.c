/*
 * test_known_code.c: weak functions that come again are found by all of their bytes.
 */
#include "link_state.h"

#include "mercury/known_code.h"

#include "link_state.c"

enum { TEXT = 256, CAPSULE = 24, FUNCTIONS = 500 };

struct function_bytes {
    uint8_t text[TEXT], capsule[CAPSULE];
};

static struct bytes
text_of(struct function_bytes *function)
{
    return (struct bytes){function->text, TEXT};
}

static struct bytes
capsule_of(struct function_bytes *function)
{
    return (struct bytes){function->capsule, CAPSULE};
}

/* Told apart by one word, as instances of a template may be. */
static struct function_bytes *
make_functions(struct arena *arena)
{
    struct function_bytes *functions = arena_array(arena, FUNCTIONS, sizeof *functions);

    for (uint32_t i = 0; i < FUNCTIONS; i++)
        write_u32(functions[i].text + TEXT / 2, i);
    return functions;
}

static void
test_found_again(void **state)
{
    struct link_state *link = link_state_open("sm_100", 0);
    struct known_code known = {.arena = &link->arena};
    struct function_bytes *functions = make_functions(&link->arena);

    (void)state;
    assert_null(known_code_find(&known, text_of(functions), capsule_of(functions)));
    for (uint32_t i = 0; i < FUNCTIONS; i++)
        assert_non_null(known_code_add(&known, text_of(&functions[i]), capsule_of(&functions[i])));
    for (uint32_t i = 0; i < FUNCTIONS; i++) {
        struct function_bytes copy = functions[i];
        write_u32(copy.capsule, i + 1); /* the number of the text */
        struct known_function *found = known_code_find(&known, text_of(&copy), capsule_of(&copy));
        assert_non_null(found);
        assert_ptr_equal(found->text.at, functions[i].text);
    }
    link_state_close(link);
}

static void
test_any_byte_counts(void **state)
{
    struct link_state *link = link_state_open("sm_100", 0);
    struct known_code known = {.arena = &link->arena};
    struct function_bytes *function = make_functions(&link->arena);

    (void)state;
    known_code_add(&known, text_of(function), capsule_of(function));
    for (size_t at = 0; at < TEXT; at++) {
        struct function_bytes copy = *function;
        copy.text[at] ^= 1;
        assert_null(known_code_find(&known, text_of(&copy), capsule_of(&copy)));
    }
    for (size_t at = sizeof(uint32_t); at < CAPSULE; at++) {
        struct function_bytes copy = *function;
        copy.capsule[at] ^= 1;
        assert_null(known_code_find(&known, text_of(&copy), capsule_of(&copy)));
    }
    struct bytes shorter = {function->text, TEXT - 16};
    assert_null(known_code_find(&known, shorter, capsule_of(function)));
    link_state_close(link);
}

static void
test_short_functions(void **state)
{
    struct link_state *link = link_state_open("sm_100", 0);
    struct known_code known = {.arena = &link->arena};
    uint8_t few[16] = {0};
    struct bytes text = {few, sizeof few}, capsule = {few, 4};

    (void)state;
    assert_null(known_code_add(&known, text, text));
    assert_null(known_code_add(&known, (struct bytes){0}, capsule));
    assert_null(known_code_find(&known, text, capsule));
    link_state_close(link);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_found_again),
        cmocka_unit_test(test_any_byte_counts),
        cmocka_unit_test(test_short_functions),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
