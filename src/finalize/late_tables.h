/*
 * late_tables.h: the string tables and the symbol table, which are large and follow from what the
 * elfw has anyway. Finalize only gives every string and symbol its place; the bytes are made when
 * they are written, part by part, and are never all in memory. What a mercury link has behind the
 * strings and symbols of the link is written with the last part.
 */
#ifndef CULD_FINALIZE_LATE_TABLES_H
#define CULD_FINALIZE_LATE_TABLES_H

#include "elfw/elfw.h"

/* Parts of the file are made in memory that stays in the processor's cache. One is larger only where
   a single record is. */
enum { PART_SIZE = 256 * 1024 };

/* To be called for each record before it gets the bytes [offset, offset + size) of the table: begins
   another part where this one has enough. The first begins with the table. */
static inline void
cut_table(struct elfw *elfw, cut_list *cuts, uint64_t offset, uint64_t size, uint32_t record)
{
    if (!cuts->count)
        array_push(cuts, elfw->arena, ((struct table_cut){0, 0}));
    else if (offset + size - cuts->at[cuts->count - 1].offset > PART_SIZE)
        array_push(cuts, elfw->arena, ((struct table_cut){offset, record}));
}

/* The parts of a table that is made when it is written, NULL: the section is no such table. Those
   are the first sections of the link, and the symbols of mercury. */
const cut_list *find_late_cuts(const struct elfw *elfw, uint32_t section);
static inline const cut_list *
late_cuts(const struct elfw *elfw, uint32_t section)
{
    bool is_late = section <= elfw->symtab || section == elfw->sections.at[elfw->symtab].twin;
    return is_late ? find_late_cuts(elfw, section) : NULL;
}

/* The bytes of a part: it ends where the next one begins. */
uint64_t late_part_size(const struct elfw *elfw, uint32_t section, uint32_t part);
void write_late_part(const struct elfw *elfw, uint32_t section, uint32_t part, uint8_t *at);

/* A part: bytes [from, to), of records [first, end). Those of symbols are numbered through both arrays. */
struct table_range {
    uint64_t from, to;
    uint32_t first, end;
};
void write_symbol_names(const struct elfw *elfw, struct table_range range, uint8_t *at);
void write_section_names(const struct elfw *elfw, struct table_range range, uint8_t *at);
void write_symbols(const struct elfw *elfw, struct table_range range, uint8_t *at);
void write_mercury_symbols(const struct elfw *elfw, struct table_range range, uint8_t *at);

#endif
