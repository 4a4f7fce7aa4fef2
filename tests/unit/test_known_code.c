/*
 * test_known_code.c: functions that come again are found by all of their bytes.
 */
#include "link_state.h"

#include "mercury/known_code.h"

#include "link_state.c"

enum { TEXT = 256, CAPSULE = 24, FUNCTIONS = 500 };

struct function_bytes {
    uint8_t text[TEXT], capsule[CAPSULE];
};

static struct code_key
key_of(struct function_bytes *function)
{
    return code_key((struct bytes){function->text, TEXT},
                    (struct bytes){function->capsule, CAPSULE});
}

static struct known_function *
find(const struct known_code *known, struct function_bytes *function)
{
    struct code_key key = key_of(function);
    return known_code_find(known, &key);
}

static struct known_function *
add(struct known_code *known, struct function_bytes *function)
{
    struct code_key key = key_of(function);
    return known_code_add(known, &key);
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
    assert_null(find(&known, functions));
    for (uint32_t i = 0; i < FUNCTIONS; i++)
        assert_non_null(add(&known, &functions[i]));
    for (uint32_t i = 0; i < FUNCTIONS; i++) {
        struct function_bytes copy = functions[i];
        write_u32(copy.capsule, i + 1); /* the number of the text */
        struct known_function *found = find(&known, &copy);
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
    add(&known, function);
    for (size_t at = 0; at < TEXT; at++) {
        struct function_bytes copy = *function;
        copy.text[at] ^= 1;
        assert_null(find(&known, &copy));
    }
    for (size_t at = sizeof(uint32_t); at < CAPSULE; at++) {
        struct function_bytes copy = *function;
        copy.capsule[at] ^= 1;
        assert_null(find(&known, &copy));
    }
    struct code_key shorter = code_key((struct bytes){function->text, TEXT - 16},
                                       (struct bytes){function->capsule, CAPSULE});
    assert_null(known_code_find(&known, &shorter));
    link_state_close(link);
}

static void
test_short_functions(void **state)
{
    struct link_state *link = link_state_open("sm_100", 0);
    struct known_code known = {.arena = &link->arena};
    uint8_t few[16] = {0};
    struct bytes text = {few, sizeof few}, capsule = {few, 4};
    struct code_key keys[] = {code_key(text, text), code_key((struct bytes){0}, capsule)};

    (void)state;
    for (size_t i = 0; i < COUNT_OF(keys); i++) {
        assert_null(known_code_add(&known, &keys[i]));
        assert_null(known_code_find(&known, &keys[i]));
        assert_false(known_code_meet(&known, &keys[i]));
        assert_false(known_code_meet(&known, &keys[i]));
    }
    link_state_close(link);
}

static void
test_met_before(void **state)
{
    struct link_state *link = link_state_open("sm_100", 0);
    struct known_code known = {.arena = &link->arena};
    struct function_bytes *functions = make_functions(&link->arena);
    struct code_key first = key_of(functions), second = key_of(functions + 1);

    (void)state;
    assert_false(known_code_meet(&known, &first));
    assert_false(known_code_meet(&known, &second));
    assert_true(known_code_meet(&known, &first));
    assert_true(known_code_meet(&known, &second));
    link_state_close(link);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_found_again),
        cmocka_unit_test(test_any_byte_counts),
        cmocka_unit_test(test_short_functions),
        cmocka_unit_test(test_met_before),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
