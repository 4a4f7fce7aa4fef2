/*
 * line_writer.h: operations of a line table, the way compilers write them.
 */
#ifndef CULD_MERCURY_LINE_WRITER_H
#define CULD_MERCURY_LINE_WRITER_H

#include "base/array.h"

/* Bytes of an input that are in a new line table as they were. */
struct kept_bytes {
    uint64_t from, to, new_from;
};

struct line_table {
    ARRAY(uint8_t) bytes;
    ARRAY(struct kept_bytes) kept; /* ascending */
};

/* Of the address; nothing, if it is 0. */
void line_put_advance(struct line_table *table, struct arena *arena, uint64_t advance);

/* True: it took an operation of its own, and no special opcode. `unit` is the header. */
bool line_put_row(struct line_table *table, struct arena *arena, const uint8_t *unit,
                  uint64_t advance, int64_t lines);

void line_put_file(struct line_table *table, struct arena *arena, uint32_t file);

/* What follows was inlined where that row is (0: it was not), into the function of that name. */
void line_put_call(struct line_table *table, struct arena *arena, uint32_t row, uint32_t name);

void line_put_end(struct line_table *table, struct arena *arena);

#endif
