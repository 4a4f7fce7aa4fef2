/*
 * line_sequences.h: the lines of one function after the other, as a view has them.
 */
#ifndef CULD_DOOR_LINE_SEQUENCES_H
#define CULD_DOOR_LINE_SEQUENCES_H

#include "door/check.h"
#include "door/line_rows.h"
#include "mercury/known_code.h"
#include "mercury/line_program.h"

struct lines {
    const struct door *door;
    struct code_map *const *maps;
    uint32_t table; /* which of LINE_TABLES it is */
    uint32_t section;
    struct bytes contents;
    struct bytes entries; /* of its relocations */
    uint32_t *addresses;  /* by their places: which of these entries, from 1 on */
    uint32_t
        *names; /* the same of functions, NULL: there are none. Where a name stands is filled in
                             before the lines of a unit */
    uint32_t name_count; /* how many there are that belong to no unit yet */
    bool is_mercury;
    uint32_t left;                      /* how many addresses belong to no sequence yet */
    ARRAY(struct line_row) rows;        /* of a sequence */
    ARRAY(struct inner_function) inner; /* by texts and places */
};

/* What a sequence comes to. */
struct sequence {
    uint64_t from, to; /* its bytes */
    uint32_t unit;     /* number of the unit that it is in, 0: none */
    uint32_t symbol;   /* of its function */
    uint32_t rows;     /* how many it has */
    uint32_t marks;    /* where rows begin to be early, and where they end to be */
    uint64_t end;      /* of its addresses */
    int64_t line;      /* of the last row */
    bool is_known;     /* for who compares them: what it says was looked at */
};

/* `table`: of relocations, 0: there is none. */
struct lines read_lines(const struct door *door, uint32_t section, uint32_t table, bool is_mercury,
                        struct code_map *const *maps);

void find_inner_functions(struct lines *mercury);

/* Those of a text. */
struct inner_functions inner_functions_of(const struct lines *mercury, uint32_t text);

/* The last word of a header may be filled in. */
void take_name(struct lines *lines, const struct line_unit *unit);

/* What is known of the lines of a function, or will be; NULL: nothing. */
struct known_lines *known_lines_of(const struct lines *lines, uint32_t symbol);

/* Goes on behind a sequence of mercury that is known. */
bool pass_known_sequence(struct lines *lines, struct line_reader *reader,
                         struct sequence *sequence);

/* The sequence at which the reader stands, and its rows. */
struct sequence read_sequence(struct lines *lines, struct line_reader *reader);

/* The same without what its rows say, if it begins as all do. */
struct sequence skip_sequence(struct lines *lines, struct line_reader *reader);

/* What follows the address of the function, which comes first. */
struct bytes behind_address(const struct lines *lines, const struct sequence *sequence);

#endif
