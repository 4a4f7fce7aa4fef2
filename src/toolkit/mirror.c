#include "toolkit/mirror.h"

#include "toolkit/paths.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

_Noreturn static void
fail(struct mirror *mirror, const char *what, const char *path)
{
    diag_fatal(mirror->diag, "Could not %s '%s': %s", what, path, strerror(errno));
}

/* ---- The folder ---- */

/* With all folders above it, as far as they are missing. */
static void
make_folder(struct mirror *mirror, const char *path)
{
    char *prefix = arena_text(mirror->arena, path, strlen(path));

    for (char *at = prefix;; at++) {
        if (*at && (*at != '/' || at == prefix))
            continue;
        char slash = *at;
        *at = '\0';
        if (mkdir(prefix, 0777) && errno != EEXIST && !path_is_folder(prefix))
            fail(mirror, "make the folder", prefix);
        if (!slash)
            return;
        *at = slash;
    }
}

void
mirror_open(struct mirror *mirror, const char *folder)
{
    string_list names = {0};

    make_folder(mirror, folder);
    mirror->folder = path_real(mirror->arena, folder);
    if (!mirror->folder || !path_list(mirror->arena, mirror->folder, &names))
        fail(mirror, "read the folder", folder);
    if (record_read(mirror->arena, mirror->folder, &mirror->old))
        return;
    if (names.count)
        diag_fatal(mirror->diag,
                   "'%s' is not empty and was not made by --make-toolkit: left as it is", folder);
    mirror->old = (struct toolkit_record){0};
    if (!record_write(mirror->arena, mirror->folder, &mirror->now))
        fail(mirror, "write to the folder", folder);
}

/* ---- One link ---- */

enum place { IN_ROOT, IN_BIN };

/* What the link of this name says in a mirror of that record; NULL if the mirror has none. */
static const char *
expected_target(struct arena *arena, const struct toolkit_record *record, enum place place,
                const char *name)
{
    if (!record->root || (place == IN_ROOT && (!strcmp(name, "bin") || !strcmp(name, RECORD_NAME))))
        return NULL;
    if (place == IN_BIN && !strcmp(name, "nvlink"))
        return record->culd;
    return path_join(arena, place == IN_BIN ? record->bin : record->root, name);
}

static const char *
path_in_mirror(struct mirror *mirror, enum place place, const char *name)
{
    return arena_format(mirror->arena, "%s/%s%s", mirror->folder, place == IN_BIN ? "bin/" : "",
                        name);
}

/* Is there a link of this name that an earlier run made? */
static bool
is_own_link(struct mirror *mirror, enum place place, const char *name)
{
    const char *target = path_link_target(mirror->arena, path_in_mirror(mirror, place, name));
    const char *expected = expected_target(mirror->arena, &mirror->old, place, name);

    return target && expected && !strcmp(target, expected);
}

static void
make_link(struct mirror *mirror, const char *path, const char *target)
{
    const char *fresh = arena_format(mirror->arena, "%s.new-%ld", path, (long)getpid());

    if (symlink(target, fresh))
        fail(mirror, "make the link", fresh);
    if (rename(fresh, path)) {
        int reason = errno;
        unlink(fresh);
        errno = reason;
        fail(mirror, "make the link", path);
    }
}

static void
place_link(struct mirror *mirror, enum place place, const char *name)
{
    const char *path = path_in_mirror(mirror, place, name);
    const char *target = expected_target(mirror->arena, &mirror->now, place, name);
    const char *present = path_link_target(mirror->arena, path);
    struct stat status;

    if (!target || (present && !strcmp(present, target)))
        return;
    if (lstat(path, &status) == 0 && !is_own_link(mirror, place, name))
        diag_fatal(mirror->diag, "'%s' is in the way: it was not made by --make-toolkit", path);
    make_link(mirror, path, target);
}

/* ---- All links ---- */

static void
place_links(struct mirror *mirror, enum place place, const char *source)
{
    string_list names = {0};

    if (!path_list(mirror->arena, source, &names))
        fail(mirror, "read the folder", source);
    for (uint32_t i = 0; i < names.count; i++)
        place_link(mirror, place, names.at[i]);
}

/* A link of an earlier run whose name the toolkit no longer has still says what it said then. */
static void
remove_old_links(struct mirror *mirror, enum place place)
{
    const char *folder = path_in_mirror(mirror, place, "");
    string_list names = {0};

    if (!path_list(mirror->arena, folder, &names))
        fail(mirror, "read the folder", folder);
    for (uint32_t i = 0; i < names.count; i++) {
        const char *source = expected_target(mirror->arena, &mirror->now, place, names.at[i]);
        struct stat status;

        if (source && is_own_link(mirror, place, names.at[i]) && lstat(source, &status) != 0)
            unlink(path_in_mirror(mirror, place, names.at[i]));
    }
}

void
mirror_fill(struct mirror *mirror)
{
    const char *bin = path_in_mirror(mirror, IN_ROOT, "bin");

    make_folder(mirror, bin);
    if (!path_is_folder(bin))
        diag_fatal(mirror->diag, "'%s' is in the way: it was not made by --make-toolkit", bin);
    place_links(mirror, IN_ROOT, mirror->now.root);
    place_links(mirror, IN_BIN, mirror->now.bin);
    /* The installed toolkit need not have an nvlink. */
    place_link(mirror, IN_BIN, "nvlink");
    remove_old_links(mirror, IN_ROOT);
    remove_old_links(mirror, IN_BIN);
    if (!record_write(mirror->arena, mirror->folder, &mirror->now))
        fail(mirror, "write to the folder", mirror->folder);
}
