/*
 * test_archive.c: members of archives, as nvlink takes them, and host references' patterns.
 */
#include "link_state.h"

#include "input/archive.h"
#include "layout/host_references.h"

#include "link_state.c"

static struct archive
opened(const char *text, size_t size)
{
    struct archive archive;

    archive_open(&archive, (struct bytes){(const uint8_t *)text, size});
    return archive;
}

#define HEADER(name, size) name "0           0     0     644     " size "`\n"

static void
assert_member(struct archive *archive, const char *name, const char *contents)
{
    struct archive_member member;

    assert_int_equal(archive_next(archive, &member), ARCHIVE_MEMBER);
    assert_int_equal(member.name.size, strlen(name));
    assert_memory_equal(member.name.at, name, strlen(name));
    assert_int_equal(member.contents.size, strlen(contents));
    assert_memory_equal(member.contents.at, contents, strlen(contents));
}

static void
test_members(void **state)
{
    static const char text[] = "!<arch>\n" HEADER("/               ", "4         ") "\0\0\0\0" HEADER(
        "//              ",
        "20        ") "a_rather_long_one.o/" HEADER("a.o/            ",
                                                    "3         ") "abc\n" HEADER("/0              ",
                                                                                 "2         ") "de";
    struct archive archive = opened(text, sizeof text - 1);
    struct archive_member member;

    (void)state;
    assert_true(is_archive(archive.file));
    assert_member(&archive, "a.o", "abc");
    assert_member(&archive, "a_rather_long_one.o", "de");
    assert_int_equal(archive_next(&archive, &member), ARCHIVE_END);
}

static void
test_a_member_cannot_be_larger_than_the_file(void **state)
{
    static const char text[] = "!<arch>\n" HEADER("a.o/            ", "9999999999") "abc";
    struct archive archive = opened(text, sizeof text - 1);
    struct archive_member member;

    (void)state;
    assert_int_equal(archive_next(&archive, &member), ARCHIVE_CUT);
    assert_int_equal(archive_next(&archive, &member), ARCHIVE_END);
}

static void
test_complaints(void **state)
{
    static const struct {
        const char *text;
        enum archive_step step;
    } cases[] = {
        {"!<arch>\n" HEADER("nameless        ", "0         "), ARCHIVE_UNEXPECTED},
        {"!<arch>\n" HEADER("/7              ", "0         "), ARCHIVE_NO_LONG_NAMES},
        {"!<arch>\n" HEADER("//              ", "2         ") "x/" HEADER("/2              ",
                                                                          "0         "),
         ARCHIVE_BAD_LONG_NAME},
        {"!<arch>\n", ARCHIVE_END},
        {"!<arch>\nshorter than a header", ARCHIVE_UNEXPECTED},
        {"!<arch>\nm.o/ and a cut header", ARCHIVE_MEMBER},
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct archive archive = opened(cases[i].text, strlen(cases[i].text));
        struct archive_member member;

        assert_int_equal(archive_next(&archive, &member), cases[i].step);
    }
}

static void
test_members_of_thin_archives_are_files(void **state)
{
    static const char text[] =
        "!<thin>\n" HEADER("//              ", "12        ") "sub/deep.o/\n" HEADER(
            "/0              ", "500       ") HEADER("b.o/            ", "700       ");
    struct link_state *link = link_state_open("sm_90", 0);
    struct archive archive = opened(text, sizeof text - 1);
    struct archive_member member;

    (void)state;
    assert_int_equal(archive_next(&archive, &member), ARCHIVE_MEMBER);
    assert_string_equal(archive_member_path(&link->arena, "lib/x.a", &member), "lib/sub/deep.o");
    assert_int_equal(archive_next(&archive, &member), ARCHIVE_MEMBER);
    assert_string_equal(archive_member_path(&link->arena, "x.a", &member), "b.o");
    link_state_close(link);
}

static void
test_host_patterns(void **state)
{
    static const struct {
        const char *pattern, *name;
        bool matches;
    } cases[] = {
        {"kc", "kc", true},         {"kc", "kcc", false},         {"_Z2k1*", "_Z2k1Pi", true},
        {"_Z2k1*", "_Z2k1", true},  {"_Z2k1*", "_Z2k2Pi", false}, {"*", "anything", true},
        {"a*b*c", "axbxbxc", true}, {"a*b*c", "axbxb", false},    {"*x", "axbx", true},
        {"a**", "a", true},         {"k?", "ka", false},          {"K", "k", false},
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct link_state *link = link_state_open("sm_90", 0);
        struct host_references references;
        struct bytes section = {(const uint8_t *)cases[i].pattern, strlen(cases[i].pattern) + 1};

        host_references_init(&references, &link->arena);
        host_patterns_add_section(&references.external, section);
        if (host_patterns_match(&references.external, cases[i].name) != cases[i].matches)
            fail_msg("'%s' and '%s'", cases[i].pattern, cases[i].name);
        assert_false(host_patterns_match(&references.internal, cases[i].name));
        link_state_close(link);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_members),
        cmocka_unit_test(test_a_member_cannot_be_larger_than_the_file),
        cmocka_unit_test(test_complaints),
        cmocka_unit_test(test_members_of_thin_archives_are_files),
        cmocka_unit_test(test_host_patterns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
