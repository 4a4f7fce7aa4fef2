/*
 * test_demangle.c: the demangler against nvlink's own output, and against
 * names that are made to break it.
 *
 * The expected texts are in demangle_names.txt, as nvlink prints them; see
 * tests/live/demangle_names.py.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "report/demangle.h"

#define TABLE TEST_DATA_DIR "/demangle_names.txt"

enum { MAX_LINE = 1 << 14, MUTATIONS_PER_NAME = 40 };

/* Calls `each` with both columns of every row; returns the number of rows. */
static unsigned
for_each_row(void (*each)(const char *name, const char *expected, void *data), void *data)
{
    static char line[MAX_LINE];
    unsigned rows = 0;
    FILE *f = fopen(TABLE, "r");

    assert_non_null(f);
    while (fgets(line, sizeof line, f) != NULL) {
        line[strcspn(line, "\n")] = '\0';
        char *tab = strchr(line, '\t');
        if (line[0] == '#' || tab == NULL)
            continue;
        *tab = '\0';
        each(line, tab + 1, data);
        rows++;
    }
    fclose(f);
    return rows;
}

struct comparison {
    struct demangle_buffer buffer;
    unsigned wrong;
};

static void
compare_row(const char *name, const char *expected, void *data)
{
    struct comparison *c = data;
    const char *got = demangle_or_same(name, &c->buffer);

    if (strcmp(got, expected) == 0)
        return;
    print_error("%s\n  expected %s\n  got      %s\n", name, expected, got);
    c->wrong++;
}

static void
test_prints_what_nvlink_prints(void **state)
{
    struct comparison c = {0};

    (void)state;
    assert_true(for_each_row(compare_row, &c) > 1000);
    assert_int_equal(c.wrong, 0);
    demangle_free(&c.buffer);
}

static void
test_plain_names_are_left_alone(void **state)
{
    static const char *const names[] = {
        "", "_", "_Z", "main", "_Zfoo", "$", "_Z3a.bv", "_Z4\xc3\xa9xxv", "_Z1fi.1",
    };
    struct demangle_buffer b = {0};

    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        assert_false(demangle(names[i], &b));
        assert_ptr_equal(demangle_or_same(names[i], &b), names[i]);
    }
    demangle_free(&b);
}

/* `head`, then `middle` n times, then `tail` n times. */
static char *
repeat(const char *head, const char *middle, const char *tail, size_t n)
{
    size_t m = strlen(middle), t = strlen(tail), h = strlen(head);
    char *name = malloc(h + n * (m + t) + 1);
    char *at = name;

    assert_non_null(name);
    memcpy(at, head, h);
    at += h;
    for (size_t i = 0; i < n; i++, at += m)
        memcpy(at, middle, m);
    for (size_t i = 0; i < n; i++, at += t)
        memcpy(at, tail, t);
    *at = '\0';
    return name;
}

/* Whatever nests is given up at some depth instead of filling the stack. */
static void
test_nesting_is_bounded(void **state)
{
    static const char *const shapes[][3] = {
        {"_Z1f", "P", ""},          {"_Z1f", "PFv", ""},  {"_Z1f", "PF", ""},
        {"_Z1f", "1AI", ""},        {"_Z1f", "A1_", ""},  {"_Z1f", "M1A", ""},
        {"_Z1fIXng", "ng", ""},     {"_Z1fIX", "cl", ""}, {"_Z", "Z", ""},
        {"_ZN", "1A", ""},          {"_Z1fIJ", "J", ""},  {"_Z1fIL_Z1f", "IL_Z1f", ""},
        {"_Z1fIXtl1A", "di1x", ""}, {"_ZN1A", "cv", ""},  {"_Z1fi", "KS_", ""},
        {"_ZN1AcvN", "1AcvN", ""},  {"_Z1f", "Dp", ""},   {"_Z1f", "DT", ""},
        {"_ZTh0_", "Th0_", ""},     {"_Z1f", "Ul", ""},
    };
    struct demangle_buffer b = {0};

    (void)state;
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        for (size_t n = 1; n <= 20000; n *= 10) {
            char *name = repeat(shapes[i][0], shapes[i][1], shapes[i][2], n);
            (void)demangle(name, &b);
            free(name);
        }
    }
    char *pointers = repeat("_Z1f", "PFv", "E", 300);
    (void)demangle(pointers, &b);
    free(pointers);
    demangle_free(&b);
}

/* Each parameter is twice as long as the one before it. */
static void
test_doubling_is_bounded(void **state)
{
    static const char digits[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
    char name[400] = "_Z1f1AIiiE";
    struct demangle_buffer b = {0};

    (void)state;
    for (size_t n = 0; n < 35; n++) {
        size_t length = strlen(name);
        snprintf(name + length, sizeof name - length, "S_IS%c_S%c_E", digits[n], digits[n]);
        if (demangle(name, &b))
            assert_true(b.length < DEMANGLE_MAX_OUTPUT);
        else
            assert_true(n > 12);
    }
    assert_false(demangle(name, &b));
    demangle_free(&b);
}

/* A chain of substitutions is as deep as nested text would be. */
static void
test_substitution_chains_are_bounded(void **state)
{
    static char name[1 << 15] = "_Z1fPi";
    size_t length = strlen(name);
    struct demangle_buffer b = {0};

    (void)state;
    assert_true(demangle("_Z1fPiKS_KS0_KS1_", &b));
    for (unsigned n = 0; n < 46656 / 12; n++) {
        static const char digits[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
        length += (size_t)snprintf(name + length, sizeof name - length, "PS%c%c%c_",
                                   digits[n / 1296], digits[n / 36 % 36], digits[n % 36]);
    }
    assert_false(demangle(name, &b));
    demangle_free(&b);
}

static void
test_long_names(void **state)
{
    struct demangle_buffer b = {0};
    char *accepted = repeat("_Z1f", "i", "", 20000);
    char *refused = repeat("_Z1f", "i", "", DEMANGLE_MAX_INPUT + 1);

    (void)state;
    assert_true(demangle(accepted, &b));
    assert_int_equal(b.length, strlen("f()") + 20000 * strlen("int, ") - 2);
    assert_false(demangle(refused, &b));
    free(accepted);
    free(refused);
    demangle_free(&b);
}

static uint32_t
next_random(uint32_t *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return *seed >> 8;
}

struct mutation {
    struct demangle_buffer buffer;
    uint32_t seed;
};

/* Pieces of the grammar, so that a mutation is not always plain nonsense. */
static const char *const pieces[] = {
    "S_", "S0_", "S9_", "T_", "I",  "E",   "J",  "K", "P", "R",  "M",
    "F",  "A3_", "Z",   "N",  "1A", "fp_", "X",  "L", "B", "C1", "D1",
    "cv", "St",  "Sa",  "Dp", "DT", "U",   "Ul", "_", "$", "99", "\xff",
};

static void
mutate_once(char *name, size_t room, uint32_t *seed)
{
    size_t length = strlen(name);
    size_t at = next_random(seed) % (length + 1);
    const char *piece = pieces[next_random(seed) % (sizeof pieces / sizeof *pieces)];
    size_t n = strlen(piece);

    switch (next_random(seed) % 4) {
    case 0:
        if (at < length)
            name[at] = (char)(1 + next_random(seed) % 255);
        break;
    case 1:
        if (length + n < room) {
            memmove(name + at + n, name + at, length - at + 1);
            memcpy(name + at, piece, n);
        }
        break;
    case 2:
        if (at < length)
            memmove(name + at, name + at + 1, length - at);
        break;
    default:
        name[at] = '\0';
        break;
    }
}

/* In a block of its own size, so that a read behind its end is noticed. */
static void
demangle_copy(const char *name, struct demangle_buffer *b)
{
    size_t size = strlen(name) + 1;
    char *copy = malloc(size);

    assert_non_null(copy);
    memcpy(copy, name, size);
    if (demangle(copy, b))
        assert_int_equal(strlen(b->text), b->length);
    free(copy);
}

static void
mutate_row(const char *name, const char *expected, void *data)
{
    static char changed[MAX_LINE + 64];
    struct mutation *m = data;

    (void)expected;
    for (int i = 0; i < MUTATIONS_PER_NAME; i++) {
        strcpy(changed, name);
        for (uint32_t k = 0; k <= next_random(&m->seed) % 3; k++)
            mutate_once(changed, sizeof changed, &m->seed);
        demangle_copy(changed, &m->buffer);
    }
}

static void
test_mutated_names_do_no_harm(void **state)
{
    struct mutation m = {.seed = 20240229};

    (void)state;
    (void)for_each_row(mutate_row, &m);
    demangle_free(&m.buffer);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_prints_what_nvlink_prints),
        cmocka_unit_test(test_plain_names_are_left_alone),
        cmocka_unit_test(test_nesting_is_bounded),
        cmocka_unit_test(test_doubling_is_bounded),
        cmocka_unit_test(test_substitution_chains_are_bounded),
        cmocka_unit_test(test_long_names),
        cmocka_unit_test(test_mutated_names_do_no_harm),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
