/*
 * record_shapes.h: records whose bits are known one by one.
 *
 * What threads do together, and what memory they do it in, are records that stand for several instructions, or
 * whose instructions have many forms. Of each it was found which bits of the record are which bits of
 * the instructions, which are always the same, and what the few others mean.
 */
#ifndef CULD_MERCURY_RECORD_SHAPES_H
#define CULD_MERCURY_RECORD_SHAPES_H

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

/* 16 bits of a record that stand for a register: what it is, and from the seventh on its number. Is it one, written or
   read as an instruction does with what it names at a bit, with as many behind it? */
bool operand_fits(uint32_t operand, const uint8_t *text, unsigned text_bit);

/* Are the `count` instructions at `text` those that the record stands for? */
enum shape_answer compare_with_shapes(const uint8_t *record, size_t size, uint32_t count,
                                      const uint8_t *text);

/* Of one that is not known: are they those of records of other groups or classes alone? */
bool is_of_other_record(const uint8_t *record, uint32_t count, const uint8_t *text);

#endif
