#include "toolkit/paths.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

const char *
path_real(struct arena *arena, const char *path)
{
    char *found = realpath(path, NULL);

    if (!found)
        return NULL;
    const char *copy = arena_text(arena, found, strlen(found));
    free(found);
    return copy;
}

const char *
path_parent(struct arena *arena, const char *path)
{
    const char *slash = strrchr(path, '/');

    if (!slash)
        return ".";
    return slash == path ? "/" : arena_text(arena, path, (size_t)(slash - path));
}

const char *
path_join(struct arena *arena, const char *folder, const char *name)
{
    size_t length = strlen(folder);
    bool has_slash = length > 0 && folder[length - 1] == '/';

    return arena_format(arena, "%s%s%s", folder, has_slash ? "" : "/", name);
}

bool
path_is_program(const char *path)
{
    struct stat status;

    return stat(path, &status) == 0 && S_ISREG(status.st_mode) && access(path, X_OK) == 0;
}

bool
path_is_folder(const char *path)
{
    struct stat status;

    return lstat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

const char *
path_link_target(struct arena *arena, const char *path)
{
    enum { TOO_LONG = 16 * 1024 };
    char target[TOO_LONG];
    ssize_t length = readlink(path, target, sizeof target);

    if (length < 0 || length == TOO_LONG)
        return NULL;
    return arena_text(arena, target, (size_t)length);
}

static int
compare_names(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

bool
path_list(struct arena *arena, const char *folder, string_list *names)
{
    DIR *stream = opendir(folder);

    if (!stream)
        return false;
    for (const struct dirent *entry; (entry = readdir(stream));)
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            array_push(names, arena, arena_text(arena, entry->d_name, strlen(entry->d_name)));
    closedir(stream);
    if (names->count)
        qsort(names->at, names->count, sizeof *names->at, compare_names);
    return true;
}
