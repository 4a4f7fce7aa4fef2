#include "input/archive.h"

#include <ar.h>

enum {
    NAME_WIDTH = sizeof((struct ar_hdr *)0)->ar_name,
    LONGEST_NAME = 1024, /* so much of one is shown */
    LONGEST_PATH = 4096, /* no file has a longer one */
};

static const char thin_magic[] = "!<thin>\n";

bool
is_archive(struct bytes file)
{
    return file.size >= SARMAG &&
           (!memcmp(file.at, ARMAG, SARMAG) || !memcmp(file.at, thin_magic, SARMAG));
}

void
archive_open(struct archive *archive, struct bytes file)
{
    *archive = (struct archive){
        .file = file,
        .next = SARMAG,
        .is_thin = file.size >= SARMAG && !memcmp(file.at, thin_magic, SARMAG),
    };
}

const char *
archive_complaint(enum archive_step step)
{
    static const char *const complaints[] = {
        [ARCHIVE_UNEXPECTED] = "unexpected archive format",
        [ARCHIVE_NO_LONG_NAMES] = "longnames header not found",
        [ARCHIVE_BAD_LONG_NAME] = "Memory allocation failure",
        [ARCHIVE_CUT] = "a member lies outside the archive (truncated?)",
    };
    return complaints[step];
}

const char *
archive_member_path(struct arena *arena, const char *archive, const struct archive_member *member)
{
    const char *slash = strrchr(archive, '/');
    bool is_absolute = member->path.size && member->path.at[0] == '/';
    int folder = slash && !is_absolute ? (int)(slash + 1 - archive) : 0;

    return arena_format(arena, "%.*s%.*s", folder, archive, (int)member->path.size,
                        (const char *)member->path.at);
}

/* The number a field begins with, 0 if there is none. */
static uint64_t
leading_number(const char *field, size_t width)
{
    uint64_t number = 0;

    for (size_t i = 0; i < width && (field[i] == ' ' || (field[i] >= '0' && field[i] <= '9'));
         i++) {
        if (field[i] != ' ')
            number = number * 10 + (uint64_t)(field[i] - '0');
        else if (number)
            break;
    }
    return number;
}

/* Any number of members may name the same bytes: no name costs more than this. */
static struct bytes
at_most(struct bytes text, size_t most)
{
    return (struct bytes){text.at, text.size < most ? text.size : most};
}

/* Up to the first `end`, which must come before any NUL; all of it where there is none. */
static struct bytes
cut(struct bytes text, const char *end)
{
    size_t length = strlen(end);

    for (size_t i = 0; i + length <= text.size && text.at[i]; i++)
        if (!memcmp(text.at + i, end, length))
            return (struct bytes){text.at, i};
    return text;
}

/* Is it a number and spaces? Of a member of an archive inside a thin one its offset follows a colon. */
static bool
is_number_field(const char *field, size_t width)
{
    size_t i = 0;

    while (i < width && ((field[i] >= '0' && field[i] <= '9') || (i && field[i] == ':')))
        i++;
    if (i == 0)
        return false;
    while (i < width && field[i] == ' ')
        i++;
    return i == width;
}

/* "/123": the name stands at that offset in the table of long names. */
static enum archive_step
read_long_name(const struct archive *archive, const char *field, struct archive_member *member)
{
    uint64_t offset = leading_number(field + 1, NAME_WIDTH - 1);

    if (!archive->long_names.at)
        return ARCHIVE_NO_LONG_NAMES;
    if (!is_number_field(field + 1, NAME_WIDTH - 1))
        return ARCHIVE_UNEXPECTED;
    if (offset >= archive->long_names.size)
        return ARCHIVE_BAD_LONG_NAME;
    struct bytes name = {archive->long_names.at + offset, archive->long_names.size - offset};
    struct bytes shown = at_most(name, LONGEST_NAME);
    member->name = cut(shown, "/");
    if (member->name.size == shown.size && memchr(shown.at, '\0', shown.size))
        return ARCHIVE_BAD_LONG_NAME;
    member->path = cut(at_most(name, LONGEST_PATH), "/\n");
    return ARCHIVE_MEMBER;
}

/* The first '/' or NUL from there on. Members are asked for in their order: where they have none
   of their own, one search serves them all. */
static uint64_t
find_name_end(struct archive *archive, uint64_t start)
{
    const uint8_t *file = archive->file.at;

    if (archive->name_end < start)
        for (archive->name_end = start; archive->name_end < archive->file.size &&
                                        file[archive->name_end] && file[archive->name_end] != '/';)
            archive->name_end++;
    return archive->name_end;
}

static enum archive_step
read_name(struct archive *archive, uint64_t start, const struct ar_hdr *header,
          struct archive_member *member)
{
    if (header->ar_name[0] == '/')
        return read_long_name(archive, header->ar_name, member);
    uint64_t end = find_name_end(archive, start);
    if (end == archive->file.size || archive->file.at[end] != '/')
        return ARCHIVE_UNEXPECTED;
    struct bytes name = {archive->file.at + start, end - start};
    member->name = at_most(name, LONGEST_NAME);
    member->path = at_most(name, LONGEST_PATH);
    return ARCHIVE_MEMBER;
}

static uint64_t
smaller(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static bool
begins(const char *field, const char *text)
{
    return !strncmp(field, text, strlen(text));
}

enum archive_step
archive_next(struct archive *archive, struct archive_member *out)
{
    while (archive->next < archive->file.size) {
        struct ar_hdr header = {0}; /* the last one may be cut */
        uint64_t start = archive->next;
        uint64_t length = smaller(sizeof header, archive->file.size - start);
        uint64_t at = start + length, left = archive->file.size - at;

        memcpy(&header, archive->file.at + start, length);
        uint64_t size = leading_number(header.ar_size, sizeof header.ar_size);
        bool is_names = begins(header.ar_name, "//");
        bool is_index = begins(header.ar_name, "/               ") ||
                        begins(header.ar_name, "/SYM64/         ");
        bool is_inside = is_names || is_index || !archive->is_thin;
        struct bytes contents = {archive->file.at + at, smaller(size, left)};

        archive->next = at + (is_inside ? align_up(contents.size, 2) : 0);
        if (is_names)
            archive->long_names = contents;
        if (is_names || is_index)
            continue;
        *out = (struct archive_member){0};
        if (is_inside) {
            out->contents = contents;
            out->rest = (struct bytes){contents.at, left};
        }
        enum archive_step step = read_name(archive, start, &header, out);
        return step == ARCHIVE_MEMBER && is_inside && size > left ? ARCHIVE_CUT : step;
    }
    return ARCHIVE_END;
}
