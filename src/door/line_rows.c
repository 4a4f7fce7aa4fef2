#include "door/line_rows.h"

#include "mercury/code_places.h"
#include "schedule/instruction.h"

/*
 * Rows of both views, where those of SASS are not known (line_sass.c): at each instruction the same line is in
 * force. There may be more rows in one view than in the other, and behind what was inlined the files need not
 * be the same.
 */
static const struct line_row no_row;

/* The row that is in force at an address; `*next` is the one behind it, from which it is looked for. */
static const struct line_row *
row_at(struct line_rows rows, uint32_t *next, uint32_t address)
{
    while (*next < rows.count && rows.at[*next].address <= address)
        ++*next;
    return *next ? &rows.at[*next - 1] : &no_row;
}

static bool
is_same_line(const struct line_row *mercury, const struct line_row *sass)
{
    return mercury->line == sass->line && (mercury->file == sass->file || mercury->has_inlined);
}

static bool
is_minimum(struct bytes text, uint64_t place)
{
    enum { OPERATION = 0x1ff, MINIMUM = 0x017 };

    return bytes_hold(text, place, INSTRUCTION_SIZE) &&
           (read_u16(text.at + place) & OPERATION) == MINIMUM;
}

bool
has_moved_lines(unsigned sm, struct bytes text)
{
    enum { MOVES_LINES = 110 };

    for (uint64_t place = 0; sm == MOVES_LINES && place < text.size; place += INSTRUCTION_SIZE)
        if (is_minimum(text, place))
            return true;
    return false;
}

bool
has_same_rows(struct line_rows mercury, struct line_rows sass, const struct line_code *code)
{
    const struct code_map *map = code->map;
    uint32_t next = 0, next_of_sass = 0;

    for (uint32_t i = 0; i + 1 < map->places.count; i++) {
        const struct code_place *place = &map->places.at[i];
        const struct line_row *one = row_at(mercury, &next, place->mercury);
        const struct line_row *other = row_at(sass, &next_of_sass, place->sass);

        if (!is_same_line(one, other) && !is_minimum(code->text, place->sass))
            return false;
    }
    return true;
}
