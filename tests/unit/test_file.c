/*
 * test_file.c: reading inputs whole, and replacing outputs in one step.
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

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PATH_SIZE = 300, LARGE = 300 * 1024 };

static char folder[] = "/tmp/culd-test-file-XXXXXX";

static const char *
in_folder(const char *name)
{
    static char paths[8][PATH_SIZE];
    static unsigned next;
    char *path = paths[next++ % 8];

    snprintf(path, PATH_SIZE, "%s/%s", folder, name);
    return path;
}

static struct bytes
text(const char *string)
{
    return (struct bytes){(const uint8_t *)string, strlen(string)};
}

static void
assert_contents(const char *path, const char *expected)
{
    struct input_file file;

    assert_true(file_read(path, &file));
    assert_int_equal(file.bytes.size, strlen(expected));
    assert_memory_equal(file.bytes.at, expected, file.bytes.size);
    file_release(&file);
}

static unsigned
mode_of(const char *path)
{
    struct stat status;

    assert_int_equal(stat(path, &status), 0);
    return status.st_mode & 07777;
}

static ino_t
number_of(const char *path)
{
    struct stat status;

    assert_int_equal(lstat(path, &status), 0);
    return status.st_ino;
}

static unsigned
files_in_folder(void)
{
    DIR *directory = opendir(folder);
    unsigned count = 0;

    assert_non_null(directory);
    for (struct dirent *entry; (entry = readdir(directory)) != NULL;)
        count += strcmp(entry->d_name, ".") && strcmp(entry->d_name, "..");
    closedir(directory);
    return count;
}

static int
empty_folder(void **state)
{
    DIR *directory = opendir(folder);

    (void)state;
    if (!directory)
        return -1;
    for (struct dirent *entry; (entry = readdir(directory)) != NULL;)
        if (strcmp(entry->d_name, ".") && strcmp(entry->d_name, "..") &&
            unlink(in_folder(entry->d_name)))
            rmdir(in_folder(entry->d_name));
    return closedir(directory);
}

static void
test_new_file(void **state)
{
    mode_t mask = umask(027);

    (void)state;
    assert_true(file_write(in_folder("new"), text("hello")));
    assert_contents(in_folder("new"), "hello");
    assert_int_equal(mode_of(in_folder("new")), 0640);
    assert_int_equal(umask(mask), 027); /* as it was */
    assert_int_equal(files_in_folder(), 1);
}

/* The old file is replaced, not written into, and lends its permissions. */
static void
test_existing_file(void **state)
{
    (void)state;
    assert_true(file_write(in_folder("old"), text("a longer text than the new one")));
    assert_int_equal(chmod(in_folder("old"), 0751), 0);
    assert_int_equal(link(in_folder("old"), in_folder("second")), 0);
    ino_t before = number_of(in_folder("old"));
    assert_true(file_write(in_folder("old"), text("new")));
    assert_contents(in_folder("old"), "new");
    assert_int_equal(mode_of(in_folder("old")), 0751);
    assert_int_not_equal(number_of(in_folder("old")), before);
    /* Whoever holds the old file still sees all of it. */
    assert_contents(in_folder("second"), "a longer text than the new one");
    assert_int_equal(files_in_folder(), 2);
}

static void
test_empty_contents(void **state)
{
    (void)state;
    assert_true(file_write(in_folder("empty"), (struct bytes){NULL, 0}));
    assert_contents(in_folder("empty"), "");
}

/* A link stays a link; the file behind it is replaced. */
static void
test_symbolic_link(void **state)
{
    struct stat status;

    (void)state;
    assert_true(file_write(in_folder("target"), text("old")));
    assert_int_equal(symlink("target", in_folder("link")), 0);
    assert_true(file_write(in_folder("link"), text("new")));
    assert_int_equal(lstat(in_folder("link"), &status), 0);
    assert_true(S_ISLNK(status.st_mode));
    assert_contents(in_folder("target"), "new");
    assert_int_equal(files_in_folder(), 2);
}

static void
test_device(void **state)
{
    struct stat status;

    (void)state;
    assert_true(file_write("/dev/null", text("gone")));
    assert_int_equal(stat("/dev/null", &status), 0);
    assert_true(S_ISCHR(status.st_mode));
}

static void
test_missing_folder(void **state)
{
    (void)state;
    assert_false(file_write(in_folder("no/such/file"), text("x")));
    assert_int_equal(errno, ENOENT);
    assert_int_equal(files_in_folder(), 0);
}

static void
test_folder_as_output(void **state)
{
    (void)state;
    assert_int_equal(mkdir(in_folder("sub"), 0777), 0);
    assert_false(file_write(in_folder("sub"), text("x")));
    assert_int_equal(errno, EISDIR);
    assert_int_equal(files_in_folder(), 1);
}

/* A failure leaves the old file and no temporary one. (Everything is allowed to root.) */
static void
test_read_only_file(void **state)
{
    (void)state;
    if (geteuid() == 0)
        skip();
    assert_true(file_write(in_folder("fixed"), text("old")));
    assert_int_equal(chmod(in_folder("fixed"), 0444), 0);
    assert_false(file_write(in_folder("fixed"), text("new")));
    assert_int_equal(errno, EACCES);
    assert_contents(in_folder("fixed"), "old");
    assert_int_equal(files_in_folder(), 1);
}

/* A disk that is full in the middle: the old file is there as it was, and nothing else. */
static void
test_failing_write(void **state)
{
    struct rlimit before, small;

    (void)state;
    assert_true(file_write(in_folder("kept"), text("old")));
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    small = before;
    small.rlim_cur = 4;
    void (*handler)(int) = signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    bool done = file_write(in_folder("kept"), text("longer than four bytes"));
    int failure = errno;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    signal(SIGXFSZ, handler);
    assert_false(done);
    assert_int_equal(failure, EFBIG);
    assert_contents(in_folder("kept"), "old");
    assert_int_equal(files_in_folder(), 1);
}

static void
test_name_too_long(void **state)
{
    char name[300];

    (void)state;
    memset(name, 'x', sizeof name);
    memcpy(name, "/tmp/", 5);
    name[sizeof name - 1] = '\0';
    assert_false(file_write(name, text("x")));
    assert_int_equal(errno, ENAMETOOLONG);
}

/* Small files are read, large ones mapped; both hold the same. */
static void
test_large_files(void **state)
{
    uint8_t *bytes = malloc(LARGE);
    struct input_file file;

    (void)state;
    assert_non_null(bytes);
    for (size_t i = 0; i < LARGE; i++)
        bytes[i] = (uint8_t)(i * 7 + i / 256);
    for (size_t size = LARGE; size > 1000; size /= 3) {
        assert_true(file_write(in_folder("large"), (struct bytes){bytes, size}));
        assert_true(file_read(in_folder("large"), &file));
        assert_int_equal(file.bytes.size, size);
        assert_memory_equal(file.bytes.at, bytes, size);
        file_release(&file);
        assert_null(file.bytes.at);
    }
    free(bytes);
}

static void
test_what_cannot_be_read(void **state)
{
    struct input_file file;

    (void)state;
    assert_false(file_read(in_folder("missing"), &file));
    assert_int_equal(errno, ENOENT);
    assert_false(file_read(folder, &file));
    assert_int_equal(errno, EISDIR);
    assert_int_equal(mkfifo(in_folder("pipe"), 0600), 0);
    assert_false(file_read(in_folder("pipe"), &file)); /* and does not wait for a writer */
}

static void
test_appending(void **state)
{
    const char *path = in_folder("appended");

    (void)state;
    assert_true(file_append(path, text("one\n")));
    assert_true(file_append(path, text("")));
    assert_true(file_append(path, text("two\n")));
    assert_contents(path, "one\ntwo\n");
    assert_false(file_append(in_folder("no/such/folder"), text("x")));
    assert_false(file_append(folder, text("x")));
}

/* The question alone makes no file and changes none. */
static void
test_writable(void **state)
{
    const char *path = in_folder("writable");

    (void)state;
    assert_true(file_is_writable(path));
    assert_false(file_exists(path));
    assert_true(file_write(path, text("kept")));
    assert_true(file_is_writable(path));
    assert_contents(path, "kept");
    assert_true(file_is_writable("/dev/null"));
    assert_false(file_is_writable(in_folder("no/such/folder")));
    assert_false(file_is_writable(folder));
    assert_false(file_is_writable(""));
}

/* Of a pipe the size is not known before its end. */
static void
test_streams(void **state)
{
    struct input_file file;
    char path[PATH_SIZE];
    int ends[2];

    (void)state;
    assert_int_equal(pipe(ends), 0);
    for (int i = 0; i < 1000; i++)
        assert_int_equal(write(ends[1], "0123456789", 10), 10);
    close(ends[1]);
    snprintf(path, sizeof path, "/dev/fd/%d", ends[0]);
    assert_true(file_read_stream(path, &file));
    assert_int_equal(file.bytes.size, 10000);
    assert_memory_equal(file.bytes.at + 9990, "0123456789", 10);
    file_release(&file);
    close(ends[0]);

    assert_true(file_read_stream("/dev/null", &file));
    assert_int_equal(file.bytes.size, 0);
    file_release(&file);
    assert_false(file_read_stream(folder, &file));
    assert_false(file_read_stream(in_folder("missing"), &file));
}

static int
make_folder(void **state)
{
    (void)state;
    return mkdtemp(folder) ? 0 : -1;
}

static int
remove_folder(void **state)
{
    (void)state;
    return rmdir(folder);
}

#define TEST(function) cmocka_unit_test_teardown(function, empty_folder)

int
main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_new_file),         TEST(test_existing_file),  TEST(test_empty_contents),
        TEST(test_symbolic_link),    TEST(test_device),         TEST(test_missing_folder),
        TEST(test_folder_as_output), TEST(test_read_only_file), TEST(test_name_too_long),
        TEST(test_large_files),      TEST(test_failing_write),  TEST(test_what_cannot_be_read),
        TEST(test_appending),        TEST(test_writable),       TEST(test_streams),
    };

    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
