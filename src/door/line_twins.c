#include "door/check.h"

#include "mercury/line_program.h"

/* A unit of a line table up to its lines; nothing if it does not fit. */
static struct bytes
unit_header(struct bytes table, size_t at)
{
    if (!bytes_hold(table, at, OPCODE_LENGTHS_AT))
        return (struct bytes){0};
    uint64_t size = HEADER_AT + (uint64_t)read_u32(table.at + at + HEADER_LENGTH_AT);
    uint64_t whole = UNIT_LENGTH + (uint64_t)read_u32(table.at + at);

    if (size > whole || !bytes_hold(table, at, whole))
        return (struct bytes){0};
    return (struct bytes){table.at + at, size};
}

/* Of their headers only the first number, of all bytes of the unit, is another one. */
static bool
is_same_header(struct bytes mercury, struct bytes sass)
{
    return mercury.size && mercury.size == sass.size &&
           !memcmp(mercury.at + UNIT_LENGTH, sass.at + UNIT_LENGTH, sass.size - UNIT_LENGTH);
}

size_t
differing_lines(struct bytes mercury, struct bytes sass)
{
    size_t at = 0, there = 0;

    while (at < mercury.size && there < sass.size) {
        if (!is_same_header(unit_header(mercury, at), unit_header(sass, there)))
            return at;
        at += UNIT_LENGTH + (size_t)read_u32(mercury.at + at);
        there += UNIT_LENGTH + (size_t)read_u32(sass.at + there);
    }
    return at == mercury.size && there == sass.size ? SIZE_MAX : at;
}
