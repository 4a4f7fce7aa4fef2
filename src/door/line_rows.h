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
    uint32_t call;    /* the number of the row that it was inlined into, from 1; 0: it was not */
    uint32_t name;    /* where that of the function stands */
    bool has_inlined; /* it, or one before it, was inlined */
    bool is_copied;   /* it has an operation of its own, and no special opcode */
};

/* How often marks begin and end in a function that has no others inside. */
enum { USUAL_MARKS = 2 };

/* Those of a function. */
struct line_rows {
    const struct line_row *at;
    uint32_t count;
    bool has_early; /* some are marked */
};

/* Where a function inside of a kernel begins, in mercury. */
struct inner_function {
    uint32_t text;
    uint64_t place;
};

/* Ascending. */
struct inner_functions {
    const struct inner_function *at;
    uint32_t count;
};

/* A function of mercury: its instructions and its SASS. */
struct code_map;
struct line_code {
    const struct code_map *map;
    struct bytes text;
    bool may_be_replaced; /* rows may be of another definition */
    struct inner_functions inner;
};

/* On sm_110 minima and maxima are put together late: their lines are those of others. */
bool has_moved_lines(unsigned sm, struct bytes text);

/* Do both views say the same of each instruction? */
bool has_same_rows(struct line_rows mercury, struct line_rows sass, const struct line_code *code);

/* Are these bytes, from the file of the first row to the end of the sequence, what nvlink makes of the rows of
   mercury? `unit` is the header. `*last_line` is that of the last of them. */
bool is_made_of_rows(struct bytes sass, struct line_rows mercury, const struct line_code *code,
                     const uint8_t *unit, struct arena *scratch, int64_t *last_line);

#endif
