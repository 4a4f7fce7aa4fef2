/*
 * parts.h: how the file is made in parts.
 */
#ifndef CULD_FINALIZE_PARTS_H
#define CULD_FINALIZE_PARTS_H

#include "finalize/late_tables.h"
#include "finalize/section_parts.h"

/* Sections [first, end) in the order of the file, or, of the last parts, their headers; or a part of
   section `first`, which is split, or a table that is made when it is written. */
enum part_kind { PART_SECTIONS, PART_HEADERS, PART_OF_SECTION, PART_OF_TABLE };
struct part {
    enum part_kind kind;
    uint32_t first, end;
    uint32_t number; /* of the part in its section */
    const struct section_parts *split;
};

typedef ARRAY(struct part) part_list;

/* All of the file but the headers of the file itself and of its segments. */
part_list list_parts(const struct output *output);

static inline const struct section *
section_of_file(const struct output *output, uint32_t number)
{
    return &output->elfw->sections.at[output->elfw->section_order[number]];
}

/* Is it one of those that are several parts of one section? */
static inline bool
is_of_section(const struct part *part)
{
    return part->kind == PART_OF_SECTION || part->kind == PART_OF_TABLE;
}

/* Of those: their places in the file, sizes and bytes. */
uint64_t part_offset(const struct output *output, const struct part *part);
uint64_t part_size(const struct output *output, const struct part *part);
void make_part_of_section(const struct output *output, const struct part *part, uint8_t *at);

/* Does the section have bytes of its own in the file? */
bool section_has_bytes(const struct section *section);

#endif
