#include "input/libraries.h"

#include "input/archive.h"
#include "input/cubin_check.h"

#include <elf.h>
#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>

static const struct {
    const char *name;
    uint16_t machine;
} hosts[] = {
    {"X86_64", EM_X86_64},   {"unknown", EM_X86_64}, {"X86", EM_386},
    {"AARCH64", EM_AARCH64}, {"ARMv7", EM_ARM},      {"PPC64LE", EM_PPC64},
};

static uint16_t
host_machine(const struct options *options)
{
    const char *name = options->cpu_arch ? options->cpu_arch : "unknown";

    for (size_t i = 0; i < COUNT_OF(hosts); i++)
        if (!strcmp(hosts[i].name, name))
            return hosts[i].machine;
    return EM_NONE;
}

/* Without the slashes at its end, which would show in messages. */
static void
add_folder(struct arena *arena, string_list *folders, const char *path, size_t length)
{
    if (length == 0)
        return;
    while (length > 0 && path[length - 1] == '/')
        length--;
    array_push(folders, arena, arena_text(arena, path, length));
}

static string_list
search_path(struct arena *arena, const struct options *options)
{
    string_list folders = {0};

    for (uint32_t i = 0; i < options->library_paths.count; i++)
        add_folder(arena, &folders, options->library_paths.at[i],
                   strlen(options->library_paths.at[i]));
    for (const char *at = getenv("LIBRARY_PATH"); at && *at;) {
        size_t length = strcspn(at, ":");
        add_folder(arena, &folders, at, length);
        at += length + (at[length] == ':');
    }
    return folders;
}

/* Of a thin archive the members are files; what cannot be read there is said when it is linked. */
static struct bytes
member_header(const struct archive *archive, const char *path, const struct archive_member *member,
              struct arena *arena, struct input_file *opened)
{
    if (!archive->is_thin)
        return member->rest;
    return file_read(archive_member_path(arena, path, member), opened) ? opened->bytes
                                                                       : (struct bytes){0};
}

/* One member for the host is enough. nvlink looks no further than the first that is no ELF file. */
static bool
is_for_host(struct arena *arena, const char *path, struct bytes file, uint16_t machine)
{
    struct archive archive;
    struct archive_member member;
    enum archive_step step;
    bool found = false, is_member = true;

    archive_open(&archive, file);
    while (!found && is_member && (step = archive_next(&archive, &member)) != ARCHIVE_END) {
        struct input_file opened = {0};

        if (step != ARCHIVE_MEMBER && step != ARCHIVE_CUT) {
            diag_cause(arena->diag, "%s", archive_complaint(step));
            diag_fatal(arena->diag, "elfLink internal error");
        }
        struct bytes rest = member_header(&archive, path, &member, arena, &opened);
        is_member = is_elf(rest);
        found = is_member && rest.size >= sizeof(Elf64_Ehdr) &&
                read_u16(rest.at + offsetof(Elf64_Ehdr, e_machine)) == machine;
        file_release(&opened);
    }
    return found;
}

static bool
exists(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0;
}

static bool
is_folder(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

/* A library that is not there is passed over; one that is there and cannot be read is not. */
static void
refuse_other_failures(struct arena *arena, const char *path)
{
    static const int harmless[] = {ENOENT, ENOTDIR, EACCES, ELOOP, ENAMETOOLONG, ESPIPE};

    for (size_t i = 0; i < COUNT_OF(harmless); i++)
        if (errno == harmless[i])
            return;
    diag_fatal(arena->diag, "Could not open input file '%s': %s", path, strerror(errno));
}

/* Wherever it is, the host's linker will take it, and device code in it has been linked before. */
static bool
is_shared(struct arena *arena, const string_list *folders, const char *name)
{
    for (uint32_t i = 0; i < folders->count; i++)
        if (exists(arena_format(arena, "%s/lib%s.so", folders->at[i], name)))
            return true;
    return false;
}

static void
find_library(struct arena *arena, const string_list *folders, const char *name, uint16_t machine,
             library_list *found)
{
    for (uint32_t i = 0; i < folders->count; i++) {
        struct library library = {.path = arena_format(arena, "%s/lib%s.a", folders->at[i], name)};

        if (is_folder(library.path))
            diag_fatal(arena->diag, "Memory allocation failure");
        if (!file_read(library.path, &library.file)) {
            refuse_other_failures(arena, library.path);
            continue;
        }
        array_push(found, arena, library);
        if (is_for_host(arena, library.path, library.file.bytes, machine))
            return;
        found->count--;
        file_release(&library.file);
        diag_warning(arena->diag, "Skipping incompatible '%s' when searching for -l%s",
                     library.path, name);
    }
}

void
find_libraries(struct arena *arena, const struct options *options, library_list *found)
{
    string_list folders = search_path(arena, options);
    uint16_t machine = host_machine(options);

    for (uint32_t i = 0; i < options->libraries.count; i++)
        if (!is_shared(arena, &folders, options->libraries.at[i]))
            find_library(arena, &folders, options->libraries.at[i], machine, found);
}

void
libraries_release(library_list *libraries)
{
    for (uint32_t i = 0; i < libraries->count; i++)
        file_release(&libraries->at[i].file);
    libraries->count = 0;
}
