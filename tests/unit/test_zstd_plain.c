/*
 * test_zstd_plain.c: packed data without its Huffman codes is unpacked to the same bytes.
 */
#include "input/zstd_plain.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <zstd.h>

#include <cmocka.h>

enum { MOST = 1 << 19, LEAST_LEVEL = -3, MOST_LEVEL = 19 };

/* Bytes in which few, many or all values occur, and that repeat each other or not. */
enum content { FEW_VALUES, MOST_ARE_ZERO, ALL_VALUES, REPEATED, TEXT, CONTENTS };

static uint32_t
next_random(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(*state >> 33);
}

static void
fill(uint8_t *bytes, size_t size, enum content content)
{
    static const char text[] = "the quick brown fox jumps over the lazy dog";
    uint64_t random = size + content;

    for (size_t i = 0; i < size; i++) {
        uint32_t value = next_random(&random);
        const uint8_t values[] = {
            [FEW_VALUES] = value % 7,
            [MOST_ARE_ZERO] = value % 4 ? 0 : value >> 8 & value >> 16 & UINT8_MAX,
            [ALL_VALUES] = value & UINT8_MAX,
            [REPEATED] = i > 60 && value % 9 ? bytes[i - 1 - value % 50] : value >> 8 & UINT8_MAX,
            [TEXT] = (uint8_t)text[value % (sizeof text - 1)],
        };
        bytes[i] = values[content];
    }
}

static struct bytes
packed(const uint8_t *bytes, size_t size, int level)
{
    size_t room = ZSTD_compressBound(size);
    uint8_t *to = malloc(room);

    size_t got = ZSTD_compress(to, room, bytes, size, level);
    assert_false(ZSTD_isError(got));
    return (struct bytes){to, got};
}

static void
assert_unpacks(struct bytes frame, const uint8_t *bytes, size_t size)
{
    size_t room = zstd_plain_room(frame, size);
    uint8_t *to = malloc(room), *unpacked = malloc(size);
    struct bytes plain;
    enum zstd_plain form = zstd_make_plain(frame, size, to, &plain);

    assert_int_not_equal(form, ZSTD_DAMAGED);
    if (form == ZSTD_PLAIN) {
        assert_true(plain.size <= room);
        assert_int_equal(ZSTD_decompress(unpacked, size, plain.at, plain.size), size);
        assert_memory_equal(unpacked, bytes, size);
    } else {
        assert_true(size > 1 << 16); /* only large blocks have to stay as they are */
    }
    free(unpacked);
    free(to);
}

static void
test_plain_frames_have_the_same_contents(void **state)
{
    static const size_t sizes[] = {1, 5, 63, 64, 300, 1000, 5000, 70000, 140000, MOST};
    static uint8_t bytes[MOST];

    (void)state;
    for (enum content content = 0; content < CONTENTS; content++)
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
            for (int level = LEAST_LEVEL; level <= MOST_LEVEL; level += sizes[i] > 10000 ? 11 : 1) {
                fill(bytes, sizes[i], content);
                struct bytes frame = packed(bytes, sizes[i], level);
                assert_unpacks(frame, bytes, sizes[i]);
                free((void *)frame.at);
            }
}

/* A changed bit is damage, or the library can tell; nothing is read or written elsewhere. */
static void
test_damaged_frames(void **state)
{
    enum { SIZE = 3000, LEVEL = 3 };
    static uint8_t bytes[SIZE], copy[SIZE + 100], to[2 * SIZE + 200];
    struct bytes plain;
    unsigned damaged = 0;

    (void)state;
    fill(bytes, SIZE, REPEATED);
    struct bytes frame = packed(bytes, SIZE, LEVEL);
    for (size_t bit = 0; bit < 8 * frame.size; bit++) {
        memcpy(copy, frame.at, frame.size);
        copy[bit / 8] ^= (uint8_t)(1 << bit % 8);
        damaged +=
            zstd_make_plain((struct bytes){copy, frame.size}, SIZE, to, &plain) == ZSTD_DAMAGED;
    }
    assert_true(damaged > frame.size);
    free((void *)frame.at);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_plain_frames_have_the_same_contents),
        cmocka_unit_test(test_damaged_frames),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
