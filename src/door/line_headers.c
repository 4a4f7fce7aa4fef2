#include "door/check.h"

#include "mercury/line_opcodes.h"
#include "mercury/line_program.h"

/*
 * What stands before the lines of a unit: how operations are to be read, which all tools say alike, then
 * the names of folders, and the files with the numbers of their folders, times and sizes. An empty name
 * ends the folders, a 0 all of it.
 */
enum { VERSION_AT = UNIT_LENGTH, VERSION = 2 };

/* Bytes of a file without a name, which lines may be of; behind the name stands anything. */
enum { NAMELESS_SIZE = 4 };

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

static bool
skip_file(struct line_reader *header)
{
    uint64_t folder, time, size;

    if (skip_name(header))
        return line_read_number(header, &folder) && line_read_number(header, &time) &&
               line_read_number(header, &size);
    if (header->bytes.size - header->at < NAMELESS_SIZE || header->bytes.at[header->at])
        return false;
    header->at += NAMELESS_SIZE;
    return true;
}

/* Do the names end where the lines begin? */
static bool
has_whole_names(struct line_reader header)
{
    while (skip_name(&header))
        continue;
    header.at++;
    while (header.at + 1 < header.bytes.size)
        if (!skip_file(&header))
            return false;
    return header.at + 1 == header.bytes.size && !header.bytes.at[header.at];
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

    if (!has_usual_operations(at) || !has_whole_names(names) ||
        (has_lines_of_ptx(door, section, unit) && !has_name_of_text(names)))
        REFUSE_CONTENTS(door, section, unit->from, "the header of the lines is damaged");
}
