#include "door/check.h"

#include "mercury/code_places.h"
#include "mercury/line_program.h"
#include "schedule/instruction.h"

/*
 * Rows of both views: at each instruction the same line is in force. nvlink makes the rows of SASS from
 * those of mercury, so that what is changed in one of them alone would go unseen. There may be more rows in one
 * view than in the other, and behind what was inlined the files need not be the same.
 */
struct line {
    int64_t number;
    uint64_t file;
};

/* A sequence up to an address: what is in force there, and the row behind. */
struct rows {
    struct line_reader reader;
    struct line here, next;
    uint64_t address; /* of the next one */
    bool has_inlined; /* up to there */
    bool is_at_end;
};

static void
read_row(struct rows *rows)
{
    struct line_operation operation = {0};

    while (!operation.adds_row && !rows->is_at_end) {
        rows->is_at_end = rows->reader.at >= rows->reader.bytes.size ||
                          !line_next(&rows->reader, &operation) || operation.ends_sequence;
        rows->address += operation.advance;
        rows->next.number += operation.lines;
        rows->has_inlined |= operation.is_inlined;
        if (operation.sets_file)
            rows->next.file = operation.file;
    }
}

static struct rows
open_rows(struct line_reader reader)
{
    struct rows rows = {.reader = reader};

    read_row(&rows);
    return rows;
}

static void
go_to(struct rows *rows, uint64_t address)
{
    while (!rows->is_at_end && rows->address <= address) {
        rows->here = rows->next;
        read_row(rows);
    }
}

/* Minima and maxima are put together late: on some targets the line is that of one part or the other. */
static bool
may_be_of_other_line(struct bytes text, uint32_t place)
{
    enum { OPERATION = 0x1ff, MINIMUM = 0x017 };

    return bytes_hold(text, place, INSTRUCTION_SIZE) &&
           (read_u16(text.at + place) & OPERATION) == MINIMUM;
}

static bool
is_same_line(const struct rows *mercury, const struct rows *sass)
{
    return mercury->here.number == sass->here.number &&
           (mercury->here.file == sass->here.file || mercury->has_inlined);
}

bool
has_same_rows(struct line_reader mercury, struct line_reader sass, const struct code_map *map,
              struct bytes text)
{
    struct rows ours = open_rows(mercury), theirs = open_rows(sass);

    for (uint32_t i = 0; i + 1 < map->places.count; i++) {
        const struct code_place *place = &map->places.at[i];

        go_to(&ours, place->mercury);
        go_to(&theirs, place->sass);
        if (!is_same_line(&ours, &theirs) && !may_be_of_other_line(text, place->sass))
            return false;
    }
    return true;
}
