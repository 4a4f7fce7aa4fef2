/*
 * test_out_of_memory.c: every allocation of a link fails in turn. The link must end with a message,
 * without an output, and with nothing lost. The program is linked so that the allocator's names
 * lead here (see cmake/UnitTests.cmake).
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/file.h"
#include "culd.h"

#include <errno.h>

#define EXAMPLES TEST_DATA_DIR "/../../examples/"
#define FIXTURES TEST_DATA_DIR "/../fixtures/sm_100/"

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *memory, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *memory, size_t size);

static _Atomic unsigned long left; /* allocations until the one that fails; 0: none does */

static bool
fails_now(void)
{
    if (!left || --left > 0)
        return false;
    errno = ENOMEM;
    return true;
}

void *
__wrap_malloc(size_t size)
{
    return fails_now() ? NULL : __real_malloc(size);
}

void *
__wrap_calloc(size_t count, size_t size)
{
    return fails_now() ? NULL : __real_calloc(count, size);
}

void *
__wrap_realloc(void *memory, size_t size)
{
    return fails_now() ? NULL : __real_realloc(memory, size);
}

static unsigned messages;

static void
count_message(void *user, enum culd_severity severity, const char *text)
{
    (void)user;
    assert_true(strlen(text) > 0);
    messages += severity == CULD_FATAL_ERROR;
}

/* True if the link went well although an allocation was to fail. */
static bool
link_example(unsigned long failing, const char *const *words, size_t word_count)
{
    enum culd_status status = CULD_OK;
    size_t size;

    messages = 0;
    left = failing;
    culd_link *link = culd_create(count_message, NULL);
    if (!link) {
        left = 0;
        return false;
    }
    for (size_t i = 0; i < word_count && status == CULD_OK; i++)
        status = culd_add_option(link, words[i]);
    if (status == CULD_OK)
        status = culd_run(link);
    left = 0;
    const void *output = culd_output(link, &size);
    assert_true(status == CULD_OK || status == CULD_FATAL);
    assert_true((status == CULD_OK) == (output != NULL));
    assert_true((status == CULD_OK) == (messages == 0));
    culd_destroy(link);
    return status == CULD_OK;
}

static void
fail_each_in_turn(const char *const *words, size_t word_count)
{
    enum { MANY = 100000 };
    unsigned long failing = 1;

    assert_true(link_example(0, words, word_count));
    while (failing < MANY && !link_example(failing, words, word_count))
        failing++;
    assert_true(failing > 1 && failing < MANY);
}

static void
test_host_objects(void **state)
{
    static const char *const words[] = {
        "-arch=sm_90", "-o",     "never-written", EXAMPLES "kernels.o",
        "-L",          EXAMPLES, "-lparts",       "-v"};

    (void)state;
    fail_each_in_turn(words, sizeof words / sizeof *words);
}

static void
test_relocatable_output(void **state)
{
    static const char *const words[] = {"-arch=sm_75",
                                        "-o",
                                        "never-written",
                                        EXAMPLES "kernels.o",
                                        EXAMPLES "libparts.a",
                                        "--relocatable-link",
                                        "--debug"};

    (void)state;
    fail_each_in_turn(words, sizeof words / sizeof *words);
}

static void
test_mercury(void **state)
{
    static const char *const words[] = {"-arch=sm_100",           "-o",
                                        "never-written",          FIXTURES "kernels.cubin",
                                        FIXTURES "library.cubin", FIXTURES "reduce.cubin"};

    (void)state;
    fail_each_in_turn(words, sizeof words / sizeof *words);
}

static void
test_call_graph(void **state)
{
    static const char *const words[] = {"-arch=sm_80",         "-o",
                                        "never-written",       EXAMPLES "kernels.o",
                                        EXAMPLES "libparts.a", "--dump-callgraph",
                                        "--preserve-relocs",   "--kernels-used=sum"};

    (void)state;
    fail_each_in_turn(words, sizeof words / sizeof *words);
}

/* What a worker had no memory for is done again: the link may go well. Which one fails is up to them. */
static void
test_several_threads(void **state)
{
    enum { MOST = 300 };
    static const char *const words[] = {"-arch=sm_100",
                                        "-o",
                                        "never-written",
                                        FIXTURES "kernels.cubin",
                                        FIXTURES "library.cubin",
                                        FIXTURES "reduce.cubin",
                                        "--threads=3"};
    unsigned failures = 0;

    (void)state;
    assert_true(link_example(0, words, sizeof words / sizeof *words));
    for (unsigned long failing = 1; failing < MOST; failing++)
        failures += !link_example(failing, words, sizeof words / sizeof *words);
    assert_true(failures > 0 && failures < MOST - 1);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_host_objects),    cmocka_unit_test(test_relocatable_output),
        cmocka_unit_test(test_mercury),         cmocka_unit_test(test_call_graph),
        cmocka_unit_test(test_several_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
