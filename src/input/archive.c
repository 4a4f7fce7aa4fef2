#include "input/archive.h"

#include <ar.h>

enum { NAME_WIDTH = sizeof((struct ar_hdr *)0)->ar_name };

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

/* Up to the first `end`, which must come before any NUL; all of it where there is none. */
static bool
cut(struct bytes *text, const char *end)
{
    size_t length = strlen(end);

    for (size_t i = 0; i + length <= text->size && text->at[i]; i++)
        if (!memcmp(text->at + i, end, length)) {
            text->size = i;
            return true;
        }
    return false;
}

/* "/123": the name stands at that offset in the table of long names. */
static enum archive_step
read_long_name(const struct archive *archive, const char *field, struct archive_member *member)
{
    uint64_t offset = leading_number(field + 1, NAME_WIDTH - 1);

    if (!archive->long_names.at)
        return ARCHIVE_NO_LONG_NAMES;
    if (offset >= archive->long_names.size)
        return ARCHIVE_BAD_LONG_NAME;
    member->name =
        (struct bytes){archive->long_names.at + offset, archive->long_names.size - offset};
    member->path = member->name;
    cut(&member->name, "/");
    cut(&member->path, "/\n");
    return ARCHIVE_MEMBER;
}

static enum archive_step
read_name(const struct archive *archive, uint64_t start, const struct ar_hdr *header,
          struct archive_member *member)
{
    if (header->ar_name[0] == '/')
        return read_long_name(archive, header->ar_name, member);
    member->name = (struct bytes){archive->file.at + start, archive->file.size - start};
    if (!cut(&member->name, "/"))
        return ARCHIVE_UNEXPECTED;
    member->path = member->name;
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
