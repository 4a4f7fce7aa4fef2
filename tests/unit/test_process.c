/*
 * test_process.c: running other programs without a shell.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/process.h"

#define RUN(with_errors, output, ...)                                                              \
    process_output((const char *const[]){__VA_ARGS__, NULL}, with_errors, output)

static void
assert_output(struct input_file *output, const char *expected)
{
    assert_int_equal(output->bytes.size, strlen(expected));
    assert_memory_equal(output->bytes.at, expected, output->bytes.size);
    file_release(output);
}

/* Arguments arrive as they are: nothing of them means anything to a shell. */
static void
test_arguments(void **state)
{
    struct input_file output;

    (void)state;
    assert_true(RUN(false, &output, "printf", "%s|", "a b", "$HOME", ";", "'\"", ""));
    assert_output(&output, "a b|$HOME|;|'\"||");
}

static void
test_standard_error(void **state)
{
    static const char script[] = "echo out; echo error >&2";
    struct input_file output;

    (void)state;
    assert_true(RUN(true, &output, "sh", "-c", script));
    assert_output(&output, "out\nerror\n");
    assert_true(RUN(false, &output, "sh", "-c", script));
    assert_output(&output, "out\n");
}

static void
test_failures(void **state)
{
    struct input_file output;

    (void)state;
    assert_false(RUN(false, &output, "/no/such/program"));
    assert_false(RUN(false, &output, "no-such-program-anywhere"));
    assert_false(RUN(false, &output, "sh", "-c", "echo text; exit 1"));
    assert_false(RUN(false, &output, "sh", "-c", "echo text; kill -9 $$"));
}

/* More than a pipe holds, and nothing to read. */
static void
test_large_output(void **state)
{
    struct input_file output;

    (void)state;
    assert_true(RUN(false, &output, "sh", "-c", "cat; head -c 300000 /dev/zero"));
    assert_int_equal(output.bytes.size, 300000);
    file_release(&output);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_arguments),
        cmocka_unit_test(test_standard_error),
        cmocka_unit_test(test_failures),
        cmocka_unit_test(test_large_output),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
