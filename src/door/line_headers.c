#include "door/check.h"

#include "mercury/line_opcodes.h"
#include "mercury/line_program.h"

/*
 * What stands before the lines of a unit: how operations are to be read, which all tools say alike, then
 * the names of folders, and the files with the numbers of their folders, times and sizes. An empty name
 * ends the folders, a 0 all of it.
 */
enum { VERSION_AT = UNIT_LENGTH, VERSION = 2 };

static bool
has_usual_operations(const uint8_t *unit)
{
    static const uint8_t usual[] = {
        1, 1, (uint8_t)USUAL_LINE_BASE, USUAL_LINE_RANGE, USUAL_OPCODE_BASE, 0, 1, 1, 1, 1, 0, 0,
        0, 1};

    /* With fewer operations there may be less to compare. */
    return read_u16(unit + VERSION_AT) == VERSION && unit[OPCODE_BASE_AT] == USUAL_OPCODE_BASE &&
           !memcmp(unit + LEAST_ADVANCE_AT, usual, sizeof usual);
}

/* Steps behind a string; false if it is empty, or has no end. */
static bool
skip_name(struct line_reader *header)
{
    uint64_t end = string_end(header->bytes, header->at);

    if (!end || end == header->at + 1)
        return false;
    header->at = end;
    return true;
}

/* Steps behind a file, whose folder is one of those before, or the next. */
static bool
skip_file(struct line_reader *header, uint64_t *folders)
{
    uint64_t folder, time, size;

    if (!skip_name(header) || !line_read_number(header, &folder) ||
        !line_read_number(header, &time) || !line_read_number(header, &size) ||
        folder > *folders + 1)
        return false;
    if (folder > *folders)
        *folders = folder;
    return true;
}

/* What ends the names: a 0, and before it, where some lines are of no file, one without a name; links leave
   anything behind that. */
static bool
is_end(struct line_reader header, bool is_linked)
{
    static const uint8_t nameless_and_end[] = {0, 0, 0, 0, 0};
    const uint8_t *at = header.bytes.at + header.at;
    size_t left = header.bytes.size - header.at;

    if (left == sizeof nameless_and_end && is_linked)
        return !at[0] && !at[left - 1];
    return (left == 1 || left == sizeof nameless_and_end) && !memcmp(at, nameless_and_end, left);
}

/* Do the names end where the lines begin, and are folders those of files, in their order? */
static bool
has_whole_names(struct line_reader header, bool is_linked)
{
    uint64_t folders = 0, used = 0;

    for (; skip_name(&header); folders++)
        continue;
    header.at++;
    while (header.at < header.bytes.size && !is_end(header, is_linked))
        if (!skip_file(&header, &used))
            return false;
    return header.at < header.bytes.size && used == folders;
}

/* Lines of PTX are of one text, a section of the file, and say nothing else of it. */
static bool
has_name_of_text(struct line_reader names)
{
    enum { SIZE_WITHOUT = 2 }; /* the ends of folders and files */
    static const char begin[] = ".nv_debug_ptx_txt.";
    static const uint8_t end[] = {0, 0, 0, 0, 0}; /* of the name, folder, time, size, all */
    const char *name = (const char *)names.bytes.at + names.at + 1;
    size_t left = names.bytes.size - names.at;

    if (left == SIZE_WITHOUT)
        return true;
    if (left < 1 + strlen(begin) + sizeof end || name[-1] || !text_begins(name, begin))
        return false;
    size_t length = strlen(begin) + strspn(name + strlen(begin), "0123456789");
    return left == 1 + length + sizeof end && !memcmp(name + length, end, sizeof end);
}

/* A whole program without code has no lines of PTX: there the names are those of its sources. */
static bool
has_lines_of_ptx(const struct door *door, uint32_t section, const struct line_unit *unit)
{
    const struct elf_view *view = door->view;

    return !strcmp(elf_section_name(view, view->twins[section]), ".nv_debug_line_sass") &&
           is_of_known_compiler(view) &&
           (view->header.e_type != ET_CUDA_WHOLE_PROGRAM || unit->program < unit->to);
}

void
check_line_header(const struct door *door, uint32_t section, struct bytes contents,
                  const struct line_unit *unit)
{
    const uint8_t *at = contents.at + unit->from;
    struct line_reader names = {
        at, {contents.at, unit->program}, unit->from + OPCODE_LENGTHS_AT + at[OPCODE_BASE_AT] - 1};

    if (!has_usual_operations(at) || !has_whole_names(names, door->view->is_of_linker) ||
        (has_lines_of_ptx(door, section, unit) && !has_name_of_text(names)))
        REFUSE_CONTENTS(door, section, unit->from, "the header of the lines is damaged");
}
