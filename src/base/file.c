#define _GNU_SOURCE /* O_TMPFILE */

#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static bool
read_all(int descriptor, uint8_t *to, size_t size)
{
    while (size > 0) {
        ssize_t got = read(descriptor, to, size);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return false;
        to += got;
        size -= (size_t)got;
    }
    return true;
}

static bool
write_all(int descriptor, const uint8_t *from, size_t size)
{
    while (size > 0) {
        ssize_t put = write(descriptor, from, size);
        if (put < 0 && errno == EINTR)
            continue;
        if (put < 0)
            return false;
        from += put;
        size -= (size_t)put;
    }
    return true;
}

/*
 * Files of a page are read; others are mapped privately, since memory that was not touched before
 * costs more than a mapping. Those that are not very large are mapped at once: most of their pages
 * will be looked at.
 */
enum { READ_RATHER_THAN_MAP = 4 * 1024, MAP_BIT_BY_BIT = 1024 * 1024 };

#ifndef MAP_POPULATE
#define MAP_POPULATE 0
#endif

static bool
load(struct arena *arena, int descriptor, size_t size, struct input_file *out)
{
    if (size > READ_RATHER_THAN_MAP) {
        int flags = MAP_PRIVATE | (size < MAP_BIT_BY_BIT ? MAP_POPULATE : 0);
        void *memory = mmap(NULL, size, PROT_READ, flags, descriptor, 0);
        if (memory != MAP_FAILED) {
            *out = (struct input_file){.bytes = {memory, size}, .memory = FILE_MAPPED};
            return true;
        }
    }
    enum file_memory kind = arena ? FILE_IN_ARENA : FILE_ON_HEAP;
    uint8_t *memory = arena ? arena_try_alloc(arena, size) : malloc(size ? size : 1);
    if (!memory) {
        errno = ENOMEM;
        return false;
    }
    *out = (struct input_file){.bytes = {memory, size}, .memory = kind};
    if (read_all(descriptor, memory, size))
        return true;
    file_release(out);
    return false;
}

bool
file_read_into(struct arena *arena, const char *path, struct input_file *out)
{
    struct stat status;
    int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    bool done = false;

    if (descriptor < 0)
        return false;
    if (fstat(descriptor, &status) == 0) {
        if (S_ISREG(status.st_mode))
            done = load(arena, descriptor, (size_t)status.st_size, out);
        else
            errno = S_ISDIR(status.st_mode) ? EISDIR : ESPIPE;
    }
    close(descriptor);
    if (done) {
        out->device = (uint64_t)status.st_dev;
        out->inode = (uint64_t)status.st_ino;
        out->seconds = status.st_mtim.tv_sec;
        out->nanoseconds = status.st_mtim.tv_nsec;
    }
    return done;
}

bool
file_has_changed(const char *path, const struct input_file *file)
{
    struct stat status;

    return file->memory == FILE_MAPPED && stat(path, &status) == 0 &&
           file->device == (uint64_t)status.st_dev && file->inode == (uint64_t)status.st_ino &&
           (file->bytes.size != (size_t)status.st_size || file->seconds != status.st_mtim.tv_sec ||
            file->nanoseconds != status.st_mtim.tv_nsec);
}

bool
file_read(const char *path, struct input_file *out)
{
    return file_read_into(NULL, path, out);
}

bool
file_read_open(int descriptor, struct input_file *out)
{
    size_t size = 0, capacity = 4096;
    uint8_t *memory = malloc(capacity);

    while (memory) {
        ssize_t got = read(descriptor, memory + size, capacity - size);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            break;
        if (got == 0) {
            *out = (struct input_file){.bytes = {memory, size}};
            return true;
        }
        size += (size_t)got;
        if (size < capacity)
            continue;
        uint8_t *larger = capacity > SIZE_MAX / 2 ? NULL : realloc(memory, capacity * 2);
        if (!larger)
            break;
        memory = larger;
        capacity *= 2;
    }
    free(memory);
    return false;
}

bool
file_read_stream(const char *path, struct input_file *out)
{
    int descriptor = open(path, O_RDONLY | O_CLOEXEC);
    bool done = descriptor >= 0 && file_read_open(descriptor, out);

    if (descriptor >= 0)
        close(descriptor);
    return done;
}

void
file_release(struct input_file *file)
{
    if (file->memory == FILE_MAPPED)
        munmap((void *)file->bytes.at, file->bytes.size);
    else if (file->memory == FILE_ON_HEAP)
        free((void *)file->bytes.at);
    *file = (struct input_file){0};
}

bool
file_exists(const char *path)
{
    return access(path, F_OK) == 0;
}

static bool
folder_is_writable(const char *path)
{
    const char *slash = strrchr(path, '/');
    size_t length = slash ? (size_t)(slash - path) + 1 : 1;
    char *folder = malloc(length + 1);

    if (!folder)
        return false;
    memcpy(folder, slash ? path : ".", length);
    folder[length] = '\0';
    bool is_writable = access(folder, W_OK | X_OK) == 0;
    free(folder);
    return is_writable;
}

bool
file_is_writable(const char *path)
{
    int descriptor = open(path, O_WRONLY | O_CLOEXEC | O_NONBLOCK);

    if (descriptor < 0)
        return errno == ENOENT && *path && folder_is_writable(path);
    close(descriptor);
    return true;
}

/* What is to stand in a file: whoever writes it knows. */
struct contents {
    file_writer write;
    void *user;
    uint64_t size;
};

static bool
write_bytes(void *user, int descriptor)
{
    const struct bytes *bytes = user;
    return write_all(descriptor, bytes->at, bytes->size);
}

static bool
write_and_close(int descriptor, struct contents contents)
{
    bool done = contents.write(contents.user, descriptor);
    int failure = errno;

    if (close(descriptor) != 0 && done) {
        done = false;
        failure = errno;
    }
    errno = failure;
    return done;
}

/* A file without a name in the folder of `path`: nobody sees it, and it vanishes with us. */
static int
nameless_file(const char *path, mode_t mode)
{
    const char *slash = strrchr(path, '/');
    size_t length = slash ? (size_t)(slash + 1 - path) : 1;
    char *folder = malloc(length + 1);
    int descriptor = -1;

    if (folder) {
        memcpy(folder, slash ? path : ".", length);
        folder[length] = '\0';
        descriptor = open(folder, O_TMPFILE | O_WRONLY | O_CLOEXEC, mode);
    }
    free(folder);
    return descriptor;
}

/* Renames a complete file, or removes it. */
static bool
move_into_place(const char *name, const char *path)
{
    if (rename(name, path) == 0)
        return true;
    int failure = errno;
    unlink(name);
    errno = failure;
    return false;
}

enum { ATTEMPTS = 100 };

/* Gives a nameless file the name of the template with its X filled in. */
static bool
name_file(int descriptor, char *name)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
    char *end = name + strlen(name);
    char source[64];
    struct timespec now;

    snprintf(source, sizeof source, "/proc/self/fd/%d", descriptor);
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
        clock_gettime(CLOCK_MONOTONIC, &now);
        uint64_t number = ((uint64_t)getpid() << 40) ^ ((uint64_t)(uintptr_t)name << 8) ^
                          (uint64_t)now.tv_nsec ^ (uint64_t)attempt;
        for (char *at = end - 6; at < end; at++, number /= sizeof letters - 1)
            *at = letters[number % (sizeof letters - 1)];
        if (linkat(AT_FDCWD, source, AT_FDCWD, name, AT_SYMLINK_FOLLOW) == 0)
            return true;
        if (errno != EEXIST)
            break;
    }
    memset(end - 6, 'X', 6);
    return false;
}

/* Where the file system knows no nameless files. */
static bool
write_temporary(const char *path, char *name, mode_t mode, struct contents contents)
{
    int descriptor = mkstemp(name);

    if (descriptor < 0)
        return false;
    bool done = fchmod(descriptor, mode) == 0;
    done = write_and_close(descriptor, contents) && done;
    if (done)
        return move_into_place(name, path);
    int failure = errno;
    unlink(name);
    errno = failure;
    return false;
}

/* No signal that can wait comes between the two steps. */
static bool
name_and_move(int descriptor, const char *path, char *name, bool *is_named)
{
    sigset_t all, before;

    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before);
    *is_named = name_file(descriptor, name);
    bool done = *is_named && move_into_place(name, path);
    int failure = errno;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    errno = failure;
    return done;
}

/* Room for all of it. Else ext4 looks for room, and begins to write to the disk, when the file takes the
   place of another. Where it cannot be had, writing the contents fails or finds another way. */
static void
reserve(int descriptor, uint64_t size)
{
#ifdef FALLOC_FL_KEEP_SIZE
    (void)fallocate(descriptor, 0, 0, (off_t)size);
#else
    (void)descriptor, (void)size;
#endif
}

/*
 * The new contents get a name only when they are complete, so that whoever kills us leaves nothing
 * behind.
 */
static bool
write_beside(const char *path, char *name, mode_t mode, struct contents contents)
{
    int descriptor = nameless_file(path, mode);

    if (descriptor < 0)
        return write_temporary(path, name, mode, contents);
    reserve(descriptor, contents.size);
    bool is_named = false;
    bool is_written = fchmod(descriptor, mode) == 0 && contents.write(contents.user, descriptor);
    bool done = is_written && name_and_move(descriptor, path, name, &is_named);
    int failure = errno;
    close(descriptor);
    errno = failure;
    if (is_written && !is_named)
        return write_temporary(path, name, mode, contents);
    return done;
}

static bool
replace_file(const char *path, mode_t mode, struct contents contents)
{
    size_t length = strlen(path);
    char *temporary = malloc(length + sizeof ".XXXXXX");

    if (!temporary)
        return false;
    memcpy(temporary, path, length);
    memcpy(temporary + length, ".XXXXXX", sizeof ".XXXXXX");
    bool done = write_beside(path, temporary, mode, contents);
    free(temporary);
    return done;
}

/* The permissions a plain creat() would give; the mask can only be read by setting it. */
static mode_t
new_file_mode(void)
{
    mode_t mask = umask(0);
    umask(mask);
    return 0666 & ~mask;
}

static bool
write_contents(const char *path, struct contents contents)
{
    struct stat status;

    if (stat(path, &status) != 0)
        return replace_file(path, new_file_mode(), contents);
    if (S_ISREG(status.st_mode) && access(path, W_OK) == 0) {
        char *real = realpath(path, NULL); /* write through a link, do not replace it */
        bool done = real && replace_file(real, status.st_mode & 07777, contents);
        free(real);
        return done;
    }
    int descriptor = open(path, O_WRONLY | O_CLOEXEC);
    return descriptor >= 0 && write_and_close(descriptor, contents);
}

bool
file_write(const char *path, struct bytes bytes)
{
    return write_contents(path, (struct contents){write_bytes, &bytes, bytes.size});
}

bool
file_can_be_made(const char *path)
{
    struct stat status;
    return stat(path, &status) != 0 || S_ISREG(status.st_mode);
}

bool
file_make(const char *path, uint64_t size, file_writer write, void *user)
{
    return write_contents(path, (struct contents){write, user, size});
}

bool
file_put(int descriptor, uint64_t offset, struct bytes bytes)
{
    while (bytes.size > 0) {
        ssize_t put = pwrite(descriptor, bytes.at, bytes.size, (off_t)offset);
        if (put < 0 && errno == EINTR)
            continue;
        if (put < 0)
            return false;
        bytes.at += put;
        bytes.size -= (size_t)put;
        offset += (size_t)put;
    }
    return true;
}

bool
file_append(const char *path, struct bytes bytes)
{
    int descriptor = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
    return descriptor >= 0 &&
           write_and_close(descriptor, (struct contents){write_bytes, &bytes, bytes.size});
}
