/*
 * line_rows.h: rows of a line table, and what they say of each instruction.
 */
#ifndef CULD_DOOR_LINE_ROWS_H
#define CULD_DOOR_LINE_ROWS_H

#include "base/array.h"
#include "base/bytes.h"

struct line_row {
    uint32_t address, file;
    int64_t line;
    bool has_inlined; /* it, or one before it, was inlined */
};

/* Those of a function. */
struct line_rows {
    const struct line_row *at;
    uint32_t count;
};

struct code_map;
/* Do both views say the same of each instruction of a function, whose SASS is the text? */
bool has_same_rows(struct line_rows mercury, struct line_rows sass, const struct code_map *map,
                   struct bytes text);

#endif
