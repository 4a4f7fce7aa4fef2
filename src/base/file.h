/*
 * file.h: reading whole input files and replacing output files in one step.
 */
#ifndef CULD_BASE_FILE_H
#define CULD_BASE_FILE_H

#include "base/arena.h"
#include "base/bytes.h"

enum file_memory { FILE_ON_HEAP, FILE_MAPPED, FILE_IN_ARENA };

struct input_file {
    struct bytes bytes;
    enum file_memory memory;
    uint64_t device, inode;
    int64_t seconds, nanoseconds; /* when it was written last */
};

/* False if the file cannot be read as a whole (errno says why). Never blocks on a pipe. */
bool file_read(const char *path, struct input_file *out);
/* The same; a small file lives as long as the arena, whether it is released or not. */
bool file_read_into(struct arena *arena, const char *path, struct input_file *out);
/* The same for what may be no regular file: reads to the end, and waits for it. */
bool file_read_stream(const char *path, struct input_file *out);
bool file_read_open(int descriptor, struct input_file *out);

void file_release(struct input_file *file);

/* Was a mapped file written to since it was read? Fit for a signal handler. */
bool file_has_changed(const char *path, const struct input_file *file);

bool file_exists(const char *path);

/* Can the file be opened for writing, or made if there is none? Nothing is changed. */
bool file_is_writable(const char *path);

/*
 * Writes a new file beside `path` and renames it into place, so that a reader never sees half a
 * file and a failure leaves the old one. What is no regular file (/dev/null, a pipe) is written
 * to directly. False on failure (errno says why).
 */
bool file_write(const char *path, struct bytes bytes);

/* The same for so many bytes that are made while they are written: `write` puts them all, by file_put,
   in any order. Only where the path names a regular file or none. */
typedef bool (*file_writer)(void *user, int descriptor);
bool file_can_be_made(const char *path);
bool file_make(const char *path, uint64_t size, file_writer write, void *user);
bool file_put(int descriptor, uint64_t offset, struct bytes bytes);

/* Writes behind what the file holds; makes it where there is none. */
bool file_append(const char *path, struct bytes bytes);

#endif
