/*
 * test_nvinfo.c: walking and checking the records of .nv.info, and merging those of .nv.compat.
 */
#include "link_state.h"

#include "cubin/compat.h"
#include "cubin/nvinfo.h"

#include "link_state.c"

/* The offset of the first record that does not fit, or the section's size if all do. */
static size_t
info_check(struct bytes section)
{
    struct info_record record;
    size_t offset = 0;

    while (info_next(section, &offset, &record))
        if (!info_has_symbol(&record))
            return (size_t)(record.whole.at - section.at);
    return offset;
}

#define BYTES(...)                                                                                 \
    ((struct bytes){(const uint8_t[]){__VA_ARGS__}, sizeof((const uint8_t[]){__VA_ARGS__})})

static void
test_walk(void **state)
{
    struct bytes section = BYTES(4, 0x2f, 8, 0, 3, 0, 0, 0, 24, 0, 0, 0, /* REGCOUNT */
                                 3, 0x1b, 0xff, 0x01,                    /* MAXREG_COUNT */
                                 1, 0x04, 0, 0,                          /* CTAIDZ_USED */
                                 2, 0x4c, 5, 0,                          /* NUM_BARRIERS */
                                 4, 0x0f, 0, 0,                          /* EXTERNS of nobody */
                                 9, 0xee, 1, 2);                         /* unknown format */
    static const struct {
        uint8_t format, attribute;
        uint16_t value;
        size_t payload;
    } expected[] = {
        {EIFMT_SVAL, EIATTR_REGCOUNT, 8, 8},    {EIFMT_HVAL, EIATTR_MAXREG_COUNT, 0x1ff, 0},
        {EIFMT_NVAL, EIATTR_CTAIDZ_USED, 0, 0}, {EIFMT_BVAL, EIATTR_NUM_BARRIERS, 5, 0},
        {EIFMT_SVAL, EIATTR_EXTERNS, 0, 0},     {9, 0xee, 0x0201, 0},
    };
    struct info_record record = {0};
    size_t offset = 0;

    (void)state;
    assert_int_equal(info_check(section), section.size);
    for (size_t i = 0; i < COUNT_OF(expected); i++) {
        size_t before = offset;

        assert_true(info_next(section, &offset, &record));
        assert_int_equal(record.format, expected[i].format);
        assert_int_equal(record.attribute, expected[i].attribute);
        assert_int_equal(record.value, expected[i].value);
        assert_int_equal(record.payload.size, expected[i].payload);
        assert_ptr_equal(record.whole.at, section.at + before);
        assert_int_equal(record.whole.size, 4 + expected[i].payload);
        assert_int_equal(offset, before + record.whole.size);
    }
    assert_false(info_next(section, &offset, &record));
    assert_int_equal(offset, section.size);
}

static void
test_empty_section(void **state)
{
    struct info_record record = {0};
    size_t offset = 0;

    (void)state;
    assert_false(info_next((struct bytes){NULL, 0}, &offset, &record));
    assert_int_equal(info_check((struct bytes){NULL, 0}), 0);
}

/* The first bad record is named by its offset. */
static void
test_records_that_do_not_fit(void **state)
{
    struct bytes cut_header = BYTES(1, 4, 0, 0, 4, 0x2f, 8);
    struct bytes cut_payload = BYTES(1, 4, 0, 0, 4, 0x2f, 8, 0, 1, 0, 0, 0, 2, 0, 0);
    struct bytes huge = BYTES(4, 0x2f, 0xff, 0xff);

    (void)state;
    assert_int_equal(info_check(cut_header), 4);
    assert_int_equal(info_check(cut_payload), 4);
    assert_int_equal(info_check(huge), 0);
}

/* Attributes that begin with a symbol need one; in other formats nvlink crashes. */
static void
test_symbol_attributes_need_a_payload(void **state)
{
    static const uint8_t named[] = {0x02, 0x06, 0x07, 0x08, 0x09, 0x0a, 0x11,
                                    0x12, 0x13, 0x14, 0x23, 0x26, 0x2f, 0x3b};
    static const uint8_t unnamed[] = {0x01, 0x03, 0x04, 0x0d, 0x0f, 0x1b, 0x1e, 0x4c, 0x50, 0xff};

    (void)state;
    for (size_t i = 0; i < COUNT_OF(named); i++) {
        assert_true(info_names_symbol(named[i]));
        assert_int_equal(info_check(BYTES(1, 4, 0, 0, 3, named[i], 0, 0)), 4);
        assert_int_equal(info_check(BYTES(4, named[i], 3, 0, 1, 2, 3)), 0);
        assert_int_equal(info_check(BYTES(4, named[i], 4, 0, 1, 2, 3, 4)), 8);
    }
    for (size_t i = 0; i < COUNT_OF(unnamed); i++) {
        assert_false(info_names_symbol(unnamed[i]));
        assert_int_equal(info_check(BYTES(3, unnamed[i], 0, 0)), 4);
    }
}

/* Whatever the bytes, the walk stays inside and ends. */
static void
test_random_bytes(void **state)
{
    uint32_t random = 3;

    (void)state;
    for (unsigned round = 0; round < 5000; round++) {
        size_t size = round % 61;
        uint8_t *bytes = malloc(size ? size : 1);
        struct info_record record = {0};
        size_t offset = 0, end = 0;

        assert_non_null(bytes);
        for (size_t i = 0; i < size; i++) {
            random = random * 1664525 + 1013904223;
            bytes[i] = (uint8_t)(random >> 24) % (i % 4 == 0 ? 5 : 256);
        }
        struct bytes section = {bytes, size};
        while (info_next(section, &offset, &record)) {
            assert_int_equal((size_t)(record.whole.at - bytes), end);
            end += record.whole.size;
            assert_true(end <= size);
        }
        assert_true(info_check(section) <= size);
        free(bytes);
    }
}

/* ---- .nv.compat ---- */

static uint16_t
merged(uint8_t attribute, uint16_t first, uint16_t second)
{
    struct compat_values values = {0};
    uint8_t out[COMPAT_MAX_SIZE];

    compat_merge(&values, BYTES(2, attribute, (uint8_t)first, (uint8_t)(first >> 8)));
    compat_merge(&values, BYTES(2, attribute, (uint8_t)second, (uint8_t)(second >> 8)));
    size_t size = compat_write(&values, false, out);
    for (size_t at = 0; at < size; at += 4)
        if (out[at + 1] == attribute)
            return (uint16_t)(out[at + 2] | out[at + 3] << 8);
    fail_msg("attribute %u is not written", attribute);
    return 0;
}

static void
test_compat_merge(void **state)
{
    static const struct {
        uint8_t attribute;
        uint16_t first, second, result;
    } rules[] = {
        {2, 1, 1, 1},
        {2, 1, 2, 2},
        {2, 0, 3, 0},
        {5, 5, 5, 5},
        {5, 5, 3, 3},
        {5, 6, 3, 3},
        {5, 3, 4, 0},
        {5, 0, 4, 0},
        {3, 1, 4, 5},
        {3, 3, 1, 3},
        {7, 0x101, 0x102, 0x102},
        {6, 1, 1, 1},
        {6, 1, 2, 1},
        {6, 0, 3, 1},
        {5, 1, 6, 2},
        {5, 4, 6, 4},
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(rules); i++) {
        assert_int_equal(merged(rules[i].attribute, rules[i].first, rules[i].second),
                         rules[i].result);
        assert_int_equal(merged(rules[i].attribute, rules[i].second, rules[i].first),
                         rules[i].result);
    }
}

/* In the order in which they come, what is missing at the end; attribute 9 says what the target is,
   11 is dropped. */
static void
test_compat_order(void **state)
{
    static const uint8_t expected[] = {2, 9, 1, 0, 2, 6, 1, 0, 2, 3, 0, 0,
                                       2, 5, 5, 0, 2, 2, 1, 0, 3, 7, 0, 1};
    struct compat_values values = {0};
    uint8_t out[COMPAT_MAX_SIZE];

    (void)state;
    compat_merge(&values, BYTES(4, 11, 8, 0, 1, 2, 3, 4, 5, 6, 7, 8, 2, 9, 0, 0, 2, 6, 1, 0, 2, 3,
                                0, 0, 2, 5, 5, 0, 2, 2, 1, 0));
    assert_int_equal(compat_write(&values, true, out), sizeof expected);
    assert_memory_equal(out, expected, sizeof expected);
    /* Inputs without the section: only the target's mark. */
    values = (struct compat_values){0};
    assert_int_equal(compat_write(&values, false, out), 4);
    assert_memory_equal(out, "\x02\x09\0\0", 4);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_walk),
        cmocka_unit_test(test_empty_section),
        cmocka_unit_test(test_records_that_do_not_fit),
        cmocka_unit_test(test_symbol_attributes_need_a_payload),
        cmocka_unit_test(test_random_bytes),
        cmocka_unit_test(test_compat_merge),
        cmocka_unit_test(test_compat_order),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
