/*
 * test_notes.c: .note.nv.cuinfo and .note.nv.tkinfo, byte by byte.
 */
#include "link_state.h"

#include "cubin/notes.h"

#include "link_state.c"

static const uint8_t cuinfo_75[] = {
    12,  0,   0,   0,   8,   0,   0,   0,   0xe8, 3,   0,   0, /* sizes, type 1000 */
    'N', 'V', 'I', 'D', 'I', 'A', ' ', 'C', 'o',  'r', 'p', 0, /* owner */
    2,   0,   75,  0,   130, 0,   0,   0,                      /* format, sm, toolkit */
};

static void
test_cuinfo_is_written(void **state)
{
    struct link_state *link = link_state_open("sm_75", 0);
    struct bytes note = cuinfo_write(&link->arena, (struct cuinfo){75, 130});

    (void)state;
    assert_int_equal(note.size, sizeof cuinfo_75);
    assert_memory_equal(note.at, cuinfo_75, sizeof cuinfo_75);
    link_state_close(link);
}

static void
test_cuinfo_is_read(void **state)
{
    struct cuinfo info = {0};

    (void)state;
    assert_true(cuinfo_read((struct bytes){cuinfo_75, sizeof cuinfo_75}, &info));
    assert_int_equal(info.virtual_arch, 75);
    assert_int_equal(info.toolkit, 130);
}

/* A short note is none, and nothing behind its end is read. */
static void
test_cuinfo_is_refused(void **state)
{
    struct cuinfo info;
    uint8_t other_type[sizeof cuinfo_75], other_owner[sizeof cuinfo_75];

    (void)state;
    for (size_t size = 0; size < sizeof cuinfo_75; size++) {
        uint8_t *copy = malloc(size ? size : 1);
        assert_non_null(copy);
        memcpy(copy, cuinfo_75, size);
        assert_false(cuinfo_read((struct bytes){copy, size}, &info));
        free(copy);
    }
    memcpy(other_type, cuinfo_75, sizeof other_type);
    other_type[8] = 0xe9;
    assert_false(cuinfo_read((struct bytes){other_type, sizeof other_type}, &info));
    memcpy(other_owner, cuinfo_75, sizeof other_owner);
    other_owner[0] = 4;
    assert_false(cuinfo_read((struct bytes){other_owner, sizeof other_owner}, &info));
}

static void
test_tkinfo(void **state)
{
    struct link_state *link = link_state_open("sm_75", 0);
    struct bytes note = tkinfo_write(
        &link->arena, &(struct tkinfo){"", "nvlink", "V13", "Build", "-arch sm_75 ", false});
    static const char strings[] = "\0nvlink\0V13\0Build\0-arch sm_75 ";
    static const uint32_t offsets[] = {0, 1, 8, 12, 18};

    (void)state;
    /* Header, owner, format and offsets, 31 bytes of strings padded to 32. */
    assert_int_equal(sizeof strings, 31);
    assert_int_equal(note.size, 12 + 12 + 24 + 32);
    assert_int_equal(read_u32(note.at), 12);
    assert_int_equal(read_u32(note.at + 4), 24 + 32);
    assert_int_equal(read_u32(note.at + 8), 2000);
    assert_memory_equal(note.at + 12, "NVIDIA Corp", 12);
    assert_int_equal(read_u32(note.at + 24), 2);
    for (size_t i = 0; i < COUNT_OF(offsets); i++)
        assert_int_equal(read_u32(note.at + 28 + 4 * i), offsets[i]);
    assert_memory_equal(note.at + 48, strings, sizeof strings);
    assert_int_equal(note.at[79], 0);
    link_state_close(link);
}

/* No padding where the strings end on a boundary, none of it uninitialised elsewhere. */
static void
test_tkinfo_padding(void **state)
{
    struct link_state *link = link_state_open("sm_75", 0);

    (void)state;
    for (size_t length = 0; length < 9; length++) {
        static const char text[] = "123456789";
        const char *options = text + sizeof text - 1 - length;
        struct bytes note =
            tkinfo_write(&link->arena, &(struct tkinfo){"", "", "", "", options, false});
        size_t used = 48 + 4 + length + 1;

        assert_int_equal(note.size % 4, 0);
        assert_true(note.size >= used && note.size < used + 4);
        assert_memory_equal(note.at + 52, options, length + 1);
        for (size_t i = used; i < note.size; i++)
            assert_int_equal(note.at[i], 0);
    }
    link_state_close(link);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cuinfo_is_written), cmocka_unit_test(test_cuinfo_is_read),
        cmocka_unit_test(test_cuinfo_is_refused), cmocka_unit_test(test_tkinfo),
        cmocka_unit_test(test_tkinfo_padding),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
