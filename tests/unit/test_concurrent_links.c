/*
 * test_concurrent_links.c: many links in one process at the same time. Each must give the bytes
 * that it gives alone. `make check-threads` runs this under the thread sanitizer.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "culd.h"

#include <pthread.h>

#define EXAMPLES TEST_DATA_DIR "/../../examples/"
#define FIXTURES TEST_DATA_DIR "/../fixtures/"
#define CUBINS(target)                                                                             \
    FIXTURES target "/kernels.cubin", FIXTURES target "/library.cubin",                            \
        FIXTURES target "/reduce.cubin"

enum { THREADS = 8, ROUNDS = 12, WORDS = 8 };

/* Cubins, host objects and archives, both views, an output for a further link, one that fails. */
static const char *const links[][WORDS] = {
    {"-arch=sm_75", CUBINS("sm_75")},
    {"-arch=sm_90", EXAMPLES "kernels.o", EXAMPLES "libparts.a", "-v"},
    {"-arch=sm_100", CUBINS("sm_100")},
    {"-arch=sm_120", CUBINS("sm_120"), "-g"},
    {"-arch=sm_80", CUBINS("sm_80"), "-r"},
    {"-arch=sm_90", FIXTURES "sm_90/kernels.cubin", "--dump-callgraph"},
};

enum { LINKS = sizeof links / sizeof *links };

struct result {
    enum culd_status status;
    uint8_t *bytes;
    size_t size;
    size_t said;
};

static void
count_text(void *user, enum culd_severity severity, const char *text)
{
    struct result *result = user;

    (void)severity;
    result->said += strlen(text);
}

static struct result
run_link(size_t number)
{
    struct result result = {0};
    culd_link *link = culd_create(count_text, &result);

    culd_add_option(link, "--output-file=never-written");

    for (size_t i = 0; i < WORDS && links[number][i]; i++)
        culd_add_option(link, links[number][i]);
    result.status = culd_run(link);
    const void *output = culd_output(link, &result.size);
    if (output)
        result.bytes = memcpy(malloc(result.size), output, result.size);
    culd_destroy(link);
    return result;
}

struct worker {
    pthread_t thread;
    const struct result *expected;
    size_t first;
    unsigned differences; /* cmocka's assertions are for the first thread alone */
};

static void *
work(void *argument)
{
    struct worker *worker = argument;

    for (size_t round = 0; round < ROUNDS; round++) {
        size_t number = (worker->first + round) % LINKS;
        const struct result *expected = &worker->expected[number];
        struct result got = run_link(number);

        worker->differences += got.status != expected->status || got.size != expected->size ||
                               got.said != expected->said ||
                               (got.size && memcmp(got.bytes, expected->bytes, got.size));
        free(got.bytes);
    }
    return NULL;
}

static void
test_links_at_the_same_time(void **state)
{
    struct result expected[LINKS];
    struct worker workers[THREADS];

    (void)state;
    for (size_t i = 0; i < LINKS; i++)
        expected[i] = run_link(i);
    assert_int_equal(expected[0].status, CULD_OK);
    assert_int_equal(expected[LINKS - 1].status, CULD_ERRORS);
    for (size_t i = 0; i < THREADS; i++) {
        workers[i] = (struct worker){.expected = expected, .first = i};
        assert_int_equal(pthread_create(&workers[i].thread, NULL, work, &workers[i]), 0);
    }
    for (size_t i = 0; i < THREADS; i++) {
        pthread_join(workers[i].thread, NULL);
        assert_int_equal(workers[i].differences, 0);
    }
    for (size_t i = 0; i < LINKS; i++)
        free(expected[i].bytes);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_links_at_the_same_time)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
