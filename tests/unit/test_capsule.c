/*
 * test_capsule.c: what a capsule must be, and what becomes of one whose text was shortened.
 */
#include "link_state.h"

#include "mercury/capsule.h"
#include "mercury/old_capsule.h"

#include "link_state.c"

#define BYTES(...)                                                                                 \
    ((struct bytes){(const uint8_t[]){__VA_ARGS__}, sizeof((const uint8_t[]){__VA_ARGS__})})

#define HEAD(count) 7, 0, 0, 0, 1, 0, 0, 0xc0, count, 0, 0, 0
#define RECORD_16 0x01, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16
#define SHORT_RECORD 0x42, 0x0a, 2, 14
#define PREFIX(count) (uint8_t)(0x51 | ((count)&1) << 7), (count) >> 1
#define PADDING(count) (uint8_t)(0x50 | ((count)&1) << 7), (count) >> 1

/* An implied entry, a record for 9 instructions, a short one, padding for 5. */
#define SOUND HEAD(4), 0x01, 0, 0, 0, PREFIX(9), RECORD_16, SHORT_RECORD, PADDING(5)

enum { SOUND_TEXT = (1 + 9 + 1 + 5) * SASS_INSTRUCTION };

static const char *
problem(struct bytes capsule, uint64_t text_size)
{
    struct capsule_place place;
    const char *found =
        capsule_check(capsule, (struct bytes){NULL, text_size}, TEXT_OF_ANY, &place, NULL);

    assert_true(place.offset <= capsule.size || !found || capsule.size < 12);
    return found ? found : "";
}

static void
test_entries(void **state)
{
    static const struct capsule_entry expected[] = {
        {0, 1, 0, 0, 0},
        {1, 9, 16, 18, 16},
        {10, 1, 0, 34, 4},
        {11, 5, 0, 38, 2},
    };
    struct bytes capsule = BYTES(SOUND);
    struct capsule_reader reader = capsule_open(capsule);
    struct capsule_entry entry;

    (void)state;
    assert_string_equal(problem(capsule, SOUND_TEXT), "");
    assert_int_equal(capsule_text(capsule), 7);
    for (size_t i = 0; i < COUNT_OF(expected); i++) {
        assert_true(capsule_next(&reader, &entry));
        assert_int_equal(entry.first, expected[i].first);
        assert_int_equal(entry.count, expected[i].count);
        assert_int_equal(entry.prefix, expected[i].prefix);
        assert_int_equal(entry.record, expected[i].record);
        assert_int_equal(entry.size, expected[i].size);
    }
    assert_false(capsule_next(&reader, &entry));
}

/* Words of the bitmap that are all ones are stepped over at once. */
static void
test_many_implied_entries(void **state)
{
    struct bytes capsule =
        BYTES(HEAD(65), 255, 255, 255, 255, 255, 255, 255, 255, 0, 0, 0, 0, PADDING(3));

    (void)state;
    assert_string_equal(problem(capsule, 67 * SASS_INSTRUCTION), "");
}

static void
test_damaged_capsules(void **state)
{
    static const char FEWER[] = "the capsule describes fewer instructions than the function has";
    static const char MORE[] = "the capsule describes more instructions than the function has";
    static const char ENTRY[] = "an entry of the capsule is damaged";
    const struct {
        struct bytes capsule;
        uint64_t text_size;
        const char *problem;
    } cases[] = {
        {BYTES(7, 0, 0, 0), 0, "the capsule is too short"},
        {BYTES(7, 0, 0, 0, 2, 0, 0, 0xc0, 0, 0, 0, 0), 0, "the capsule is of an unknown version"},
        {BYTES(HEAD(1)), SASS_INSTRUCTION, "the capsule is too short for its entries"},
        {BYTES(7, 0, 0, 0, 1, 0, 0, 0xc0, 255, 255, 255, 255), 0,
         "the capsule is too short for its entries"},
        {BYTES(SOUND), SOUND_TEXT + SASS_INSTRUCTION, FEWER},
        {BYTES(SOUND), SOUND_TEXT + 8, FEWER},
        {BYTES(SOUND), SOUND_TEXT - SASS_INSTRUCTION, MORE},
        {BYTES(SOUND, 0), SOUND_TEXT, "the capsule does not end with its last entry"},
        {BYTES(HEAD(1), 0, 0, 0, 0, 0x01, 2, 3), SASS_INSTRUCTION, ENTRY},    /* cut off */
        {BYTES(HEAD(1), 0, 0, 0, 0, 0x33, 0, 0, 0), SASS_INSTRUCTION, ENTRY}, /* no record */
        {BYTES(HEAD(1), 0, 0, 0, 0, 0x00, 0, 0, 0), SASS_INSTRUCTION, ENTRY}, /* of no size */
        {BYTES(HEAD(1), 0, 0, 0, 0, PREFIX(2)), 2 * SASS_INSTRUCTION, ENTRY}, /* of no record */
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        assert_string_equal(problem(cases[i].capsule, cases[i].text_size), cases[i].problem);
}

static void
test_every_shorter_capsule_is_damaged(void **state)
{
    struct bytes sound = BYTES(SOUND);

    (void)state;
    for (size_t size = 0; size < sound.size; size++)
        assert_string_not_equal(problem((struct bytes){sound.at, size}, SOUND_TEXT), "");
}

static struct bytes
rewrite(struct bytes capsule, const uint32_t *counts, uint8_t *out)
{
    struct capsule_writer writer = capsule_copy(capsule, out);
    struct capsule_reader reader = capsule_open(capsule);
    struct capsule_entry entry;

    while (capsule_next(&reader, &entry))
        assert_true(capsule_put(&writer, &entry, *counts++));
    return (struct bytes){out, writer.size};
}

static void
test_rewriting(void **state)
{
    struct bytes sound = BYTES(SOUND);
    struct bytes shorter =
        BYTES(HEAD(4), 1, 0, 0, 0, PREFIX(4), RECORD_16, SHORT_RECORD, PADDING(2));
    /* One instruction is the rule: the prefix goes. */
    struct bytes without = BYTES(HEAD(4), 1, 0, 0, 0, RECORD_16, SHORT_RECORD, PADDING(8));
    uint8_t out[64];

    (void)state;
    struct bytes same = rewrite(sound, (const uint32_t[]){1, 9, 1, 5}, out);
    assert_int_equal(same.size, sound.size);
    assert_memory_equal(out, sound.at, sound.size);
    assert_int_equal(rewrite(sound, (const uint32_t[]){1, 4, 1, 2}, out).size, shorter.size);
    assert_memory_equal(out, shorter.at, shorter.size);
    assert_int_equal(rewrite(sound, (const uint32_t[]){1, 1, 1, 8}, out).size, without.size);
    assert_memory_equal(out, without.at, without.size);
}

/* An exit, implied so far, stands for what is before it now, too. */
static void
test_guarded_exit(void **state)
{
    struct bytes capsule = BYTES(HEAD(2), 0x01, 0, 0, 0, PADDING(5));
    struct bytes expected = BYTES(HEAD(2), 0, 0, 0, 0, PREFIX(4), 0x01, 0x11, 0, 0x0a, 0x29, 0, 0,
                                  0, 0, 0, 0, 0xf8, 0, 0, 0, 0, PADDING(5));
    uint8_t out[64];
    struct capsule_writer writer = capsule_copy(capsule, out);
    struct capsule_entry padding = {1, 5, 0, 16, 2};

    (void)state;
    assert_true(capsule_put_exit(&writer, 5 | 8, 7, 4)); /* @!P5 */
    assert_true(capsule_put(&writer, &padding, 5));
    assert_int_equal(writer.size, expected.size);
    assert_memory_equal(out, expected.at, expected.size);
    assert_string_equal(problem((struct bytes){out, writer.size}, 9 * SASS_INSTRUCTION), "");
}

static void
test_what_cannot_be_written(void **state)
{
    static const struct capsule_entry implied = {0, 1, 0, 0, 0};
    static const struct capsule_entry prefixed = {1, 9, 16, 18, 16};
    uint8_t out[64];
    struct capsule_writer writer = capsule_copy(BYTES(SOUND), out);

    (void)state;
    assert_false(capsule_put(&writer, &implied, 2));
    assert_false(capsule_put(&writer, &implied, 0));
    assert_false(capsule_put(&writer, &prefixed, 0));
    assert_false(capsule_put(&writer, &prefixed, 512));
}

/* ---- capsules of CUDA 12.8 ---- */

#define OLD_HEAD(count) 7, 0, 0, 0, count, 0, 0, 0x40
#define SASS(low, high) low, high, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0

/* A sum, a call, a load from shared memory, and padding. */
static const uint8_t old_text[4 * SASS_INSTRUCTION] = {SASS(0x10, 0x72), SASS(0x43, 0x79),
                                                       SASS(0x84, 0x79), SASS(0x47, 0x79)};

static struct bytes
updated(struct arena *arena, struct bytes text, struct bytes capsule, bool is_known)
{
    assert_true(is_old_capsule(capsule));
    assert_int_equal(update_capsule(arena, text, &capsule), is_known);
    return capsule;
}

static void
test_old_capsule(void **state)
{
    struct link_state *link = link_state_open("sm_100", 0);
    struct bytes text = {old_text, sizeof old_text};
    struct bytes old = BYTES(OLD_HEAD(4), 0x03, 0, 0, 0, 0x42, 0x22, 0x3a, 0x06, PADDING(1));
    struct bytes today = BYTES(HEAD(4), 0x05, 0, 0, 0, 0x42, 0x0a, 0x02, 0x0e, PADDING(1));

    (void)state;
    struct bytes capsule = updated(&link->arena, text, old, true);
    assert_int_equal(capsule.size, today.size);
    assert_memory_equal(capsule.at, today.at, today.size);
    assert_false(is_old_capsule(today));
    link_state_close(link);
}

/* What an unknown instruction implied nobody knows; what is damaged stays, to be refused. */
static void
test_old_capsule_that_is_not_known(void **state)
{
    static const uint8_t unknown[2 * SASS_INSTRUCTION] = {SASS(0xff, 0x7f), SASS(0x47, 0x79)};
    struct link_state *link = link_state_open("sm_100", 0);
    struct bytes old = BYTES(OLD_HEAD(2), 0x01, 0, 0, 0, PADDING(1));
    struct bytes text = {old_text, sizeof old_text};

    (void)state;
    updated(&link->arena, (struct bytes){unknown, sizeof unknown}, old, false);
    assert_ptr_equal(updated(&link->arena, text, old, true).at, old.at);
    for (size_t size = 8; size < old.size; size++)
        updated(&link->arena, text, (struct bytes){old.at, size}, true);
    link_state_close(link);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_entries),
        cmocka_unit_test(test_many_implied_entries),
        cmocka_unit_test(test_damaged_capsules),
        cmocka_unit_test(test_every_shorter_capsule_is_damaged),
        cmocka_unit_test(test_rewriting),
        cmocka_unit_test(test_guarded_exit),
        cmocka_unit_test(test_what_cannot_be_written),
        cmocka_unit_test(test_old_capsule),
        cmocka_unit_test(test_old_capsule_that_is_not_known),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
