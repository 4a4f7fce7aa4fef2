/*
 * record_shapes.h: records whose bits are known one by one.
 *
 * What threads do together, and what memory they do it in, are records that stand for several instructions, or
 * whose instructions have many forms. Of each it was found which bits of the record are which bits of
 * the instructions, which are always the same, and what the few others mean.
 */
#ifndef CULD_MERCURY_RECORD_SHAPES_H
#define CULD_MERCURY_RECORD_SHAPES_H

#include "schedule/instruction.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum shape_answer {
    SHAPE_UNKNOWN, /* nothing is known of such a record */
    SHAPE_FITS,    /* or they are of a form that was not seen */
    SHAPE_DIFFERS
};

/* Its first four bytes, the first one highest. */
static inline uint32_t
record_head(const uint8_t *record)
{
    return (uint32_t)record[0] << 24 | (uint32_t)record[1] << 16 | (uint32_t)record[2] << 8 |
           record[3];
}

/* Sixteen bits of a record are about one operand: has it as many registers as the instruction, which names the first one
   at `text_bit`, and is it read or written as there? The first bit says whether it is written, the next two how many
   registers it has after the first. */
bool operand_has_width(uint32_t operand, const struct instruction *instruction, unsigned text_bit);

/* Are the `count` instructions at `text` those that the record stands for? */
enum shape_answer compare_with_shapes(const uint8_t *record, size_t size, uint32_t count,
                                      const uint8_t *text);

/* Of one that is not known: are they those of records of other groups or classes alone? */
bool is_of_other_record(const uint8_t *record, uint32_t count, const uint8_t *text);

#endif
