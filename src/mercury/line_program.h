/*
 * line_program.h: the operations of a line table, one by one.
 *
 * A unit is a length, a version, a length of the header, the header, and the lines of one function
 * after the other. Each of these sequences begins with the function's address and ends with a mark.
 */
#ifndef CULD_MERCURY_LINE_PROGRAM_H
#define CULD_MERCURY_LINE_PROGRAM_H

#include "base/bytes.h"
#include "mercury/line_writer.h"

enum {
    UNIT_LENGTH = 4,
    HEADER_LENGTH_AT = 6,
    HEADER_AT = 10,
    LEAST_ADVANCE_AT = HEADER_AT,
    LINE_BASE_AT = HEADER_AT + 2,
    LINE_RANGE_AT = HEADER_AT + 3,
    OPCODE_BASE_AT = HEADER_AT + 4,
    OPCODE_LENGTHS_AT,
};

/* Places of a section: of the unit, of its first sequence and of its end. */
struct line_unit {
    uint64_t from, program, to;
};

/* False if what begins there is damaged. */
bool line_unit_read(struct line_unit *unit, struct bytes section, uint64_t at);

struct line_reader {
    const uint8_t *unit; /* its header was checked */
    struct bytes bytes;  /* up to the end of the unit */
    uint64_t at;
};

/* At the first sequence of the unit. */
struct line_reader line_unit_open(struct bytes section, const struct line_unit *unit);

struct line_operation {
    uint64_t from, to;  /* its bytes */
    uint64_t advance;   /* of the address */
    int64_t lines;      /* advance of the line */
    uint64_t address;   /* where it has the address that it sets, 0: it sets none */
    uint64_t file;      /* the number that it sets */
    bool only_advances; /* it does nothing else */
    bool adds_row;
    bool sets_file;
    bool ends_sequence;
    bool is_inlined; /* what follows was, and where */
};

/* False if it is damaged. Call it only before the end of the bytes. */
bool line_next(struct line_reader *reader, struct line_operation *operation);

/* An unsigned number, inside of an operation; false if it is damaged. */
bool line_read_number(struct line_reader *reader, uint64_t *value);
bool line_read_signed(struct line_reader *reader, int64_t *value);

/* Steps behind the end of a sequence and says where the address stands that it sets. False if it is
   damaged, or has no end. */
bool line_skip_sequence(struct line_reader *reader, uint64_t *address);

/* The new address of an old one. */
struct line_places {
    uint64_t (*move)(const void *how, uint64_t address);
    const void *how;
};

/* Writes the rest of a sequence at which the reader stands, with new addresses, the way compilers
   do. */
void line_table_move(struct line_table *table, struct arena *arena, struct line_reader reader,
                     struct line_places places);

/* How many rows of a sequence are early: those up to the second that is no special opcode. nvlink takes
   them for others than those behind, where rows say the same. `reader` stands at it in mercury. */
uint32_t line_early_rows(struct line_reader reader);

/* The same where places come together, or are in the new code no more (UINT64_MAX): of several rows
   of one place the last one stays. */
void line_table_replace(struct line_table *table, struct arena *arena, struct line_reader reader,
                        struct line_places places, uint32_t early_rows);

#endif
