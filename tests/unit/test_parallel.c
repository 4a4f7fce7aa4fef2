/*
 * test_parallel.c: loops over threads, their traces, and files that are read ahead.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/diag.h"
#include "base/parallel.h"
#include "input/preload.h"

#include <stdatomic.h>
#include <unistd.h>

enum { ITEMS = 5000 };

struct counts {
    unsigned made[ITEMS], delivered[ITEMS];
    unsigned makers[ITEMS]; /* the worker that made it, from 1 */
    unsigned strangers;     /* delivered by others than their makers */
    unsigned in_turn;       /* written without protection: only one delivers at a time */
    _Atomic unsigned workers_seen;
};

static void
make(void *user, uint32_t index, unsigned worker)
{
    struct counts *counts = user;

    counts->made[index]++;
    counts->makers[index] = worker + 1;
    atomic_fetch_or(&counts->workers_seen, 1u << worker);
}

static void
deliver(void *user, uint32_t index, unsigned worker)
{
    struct counts *counts = user;

    counts->strangers += counts->makers[index] != worker + 1;
    counts->delivered[index]++;
    counts->in_turn++;
}

static void
run_once(unsigned threads, uint32_t count)
{
    struct counts *counts = calloc(1, sizeof *counts);
    struct trace off = {0};
    struct parallel_loop loop = {"items", count, make, deliver, counts};

    assert_non_null(counts);
    parallel_run(&loop, threads, &off);
    for (uint32_t i = 0; i < ITEMS; i++) {
        assert_int_equal(counts->made[i], i < count);
        assert_int_equal(counts->delivered[i], i < count);
    }
    assert_int_equal(counts->in_turn, count);
    assert_int_equal(counts->strangers, 0);
    if (threads <= 1)
        assert_true(counts->workers_seen <= 1);
    assert_int_equal(off.events.count, 0);
    free(counts);
}

static void
test_each_item_once(void **state)
{
    static const unsigned threads[] = {0, 1, 2, 5, 16, 30};
    static const uint32_t counts[] = {0, 1, 2, 3, 100, ITEMS};

    (void)state;
    for (size_t t = 0; t < sizeof threads / sizeof *threads; t++)
        for (size_t c = 0; c < sizeof counts / sizeof *counts; c++)
            run_once(threads[t], counts[c]);
    assert_true(parallel_processors() >= 1);
    assert_in_range(parallel_free_processors(), 1, parallel_processors());
}

struct line_counts {
    unsigned made[ITEMS];
    uint32_t taken;
    uint32_t end;                 /* none is taken from here on */
    unsigned places[MOST_PLACES]; /* what lies there, from 1 */
    unsigned disorders;
};

static void
put(void *user, uint32_t index, unsigned worker)
{
    struct line_counts *counts = user;

    (void)worker;
    counts->made[index]++;
    counts->places[index % MOST_PLACES] = index + 1;
}

static bool
take(void *user, uint32_t index)
{
    struct line_counts *counts = user;

    counts->disorders += index != counts->taken || counts->places[index % MOST_PLACES] != index + 1;
    return ++counts->taken != counts->end;
}

static void
run_line_once(unsigned threads, uint32_t count, uint32_t end)
{
    struct line_counts *counts = calloc(1, sizeof *counts);
    struct trace off = {0};
    struct parallel_line line = {"items", count, MOST_PLACES, put, take, counts};
    uint32_t taken = end && end < count ? end : count;

    assert_non_null(counts);
    counts->end = end;
    parallel_run_line(&line, threads, &off);
    assert_int_equal(counts->taken, taken);
    assert_int_equal(counts->disorders, 0);
    for (uint32_t i = 0; i < ITEMS; i++)
        assert_true(counts->made[i] == (i < taken) || (counts->made[i] == 1 && i < count));
    free(counts);
}

/* In order, each from its place, by the caller, who may stop. */
static void
test_line(void **state)
{
    static const unsigned threads[] = {0, 1, 2, 5, 16, 100};
    static const uint32_t counts[] = {0, 1, 2, 3, MOST_PLACES, MOST_PLACES + 1, ITEMS};
    static const uint32_t ends[] = {0, 1, 70};

    (void)state;
    for (size_t t = 0; t < sizeof threads / sizeof *threads; t++)
        for (size_t c = 0; c < sizeof counts / sizeof *counts; c++)
            for (size_t e = 0; e < sizeof ends / sizeof *ends; e++)
                run_line_once(threads[t], counts[c], ends[e]);
}

static void
ignore(void *user, uint32_t index, unsigned worker)
{
    (void)user, (void)index, (void)worker;
}

/* Each worker has its span inside the phase. More threads than can be had are no error. */
static void
test_trace(void **state)
{
    struct diag diag = {0};
    struct arena arena;
    struct trace trace;
    struct parallel_loop loop = {.name = "items", .count = 1000, .make = ignore};

    (void)state;
    arena_init(&arena, &diag);
    trace_begin(&trace, &arena);
    trace_phase(&trace, "one");
    parallel_run(&loop, 3, &trace);
    trace_phase(&trace, "two");
    parallel_run(&loop, 100000, &trace);
    trace_phase(&trace, NULL);
    assert_int_equal(trace.phase, 0);
    assert_true(trace.events.count > 5);
    assert_string_equal(trace.events.at[0].name, "one");
    for (uint32_t i = 1; i <= 3; i++) {
        const struct trace_event *event = &trace.events.at[i];
        assert_false(event->is_phase);
        assert_int_equal(event->worker, i - 1);
        assert_true(event->span.start >= trace.events.at[0].span.start);
        assert_true(event->span.end <= trace.events.at[0].span.end);
    }
    assert_string_equal(trace.events.at[4].name, "two");
    arena_free_all(&arena);
}

/* Files that are there are handed out once; of the others nothing is said. */
static void
test_preload(void **state)
{
    char folder[] = "/tmp/culd-test-XXXXXX", paths[2][64];
    struct diag diag = {0};
    struct arena arena;
    struct trace off = {0};
    struct input_file file;

    (void)state;
    assert_non_null(mkdtemp(folder));
    snprintf(paths[0], sizeof paths[0], "%s/small", folder);
    snprintf(paths[1], sizeof paths[1], "%s/none", folder);
    assert_true(file_write(paths[0], (struct bytes){(const uint8_t *)"contents", 8}));
    const char *list[] = {paths[0], paths[1], paths[0]};
    struct crew crew = {.arena = &arena, .trace = &off};
    struct preload preload = {.paths = list, .count = 3, .crew = &crew};
    arena_init(&arena, &diag);
    assert_false(preload_take(&preload, 0, &file));
    preload_files(&preload, 2);
    assert_false(preload_take(&preload, 1, &file));
    for (int number = 0; number < 3; number += 2) {
        assert_true(preload_take(&preload, (uint32_t)number, &file));
        assert_int_equal(file.bytes.size, 8);
        assert_memory_equal(file.bytes.at, "contents", 8);
        assert_false(preload_take(&preload, (uint32_t)number, &file));
    }
    preload_release(&preload);
    crew_release(&crew);
    arena_free_all(&arena);
    unlink(paths[0]);
    rmdir(folder);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each_item_once),
        cmocka_unit_test(test_line),
        cmocka_unit_test(test_trace),
        cmocka_unit_test(test_preload),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
