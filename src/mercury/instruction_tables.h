/*
 * instruction_tables.h: what is known of records of capsules and of their instructions.
 *
 * All of it was found by comparison: a bit of the record that is always a bit of the instruction, in
 * hundreds of thousands of functions.
 */
#ifndef CULD_MERCURY_INSTRUCTION_TABLES_H
#define CULD_MERCURY_INSTRUCTION_TABLES_H

#include "base/bytes.h"

/* Bits of the instruction that are bits of the record: numbers of registers, immediate values. Both
   are found in the 4 bytes at `at`, behind `shift` others. */
struct field_pair {
    struct {
        uint8_t at, shift;
    } sass, record;
    bool is_in_bank; /* an offset in a bank; of parameters it does not count what is before them */
    uint32_t mask;   /* 0: there are no more fields */
};

enum { MOST_FIELDS = 5, ANY_OPCODE = 0 };

/* What is left of a record without its operands, and of its instruction: each belongs to the other. */
struct form {
    uint64_t record[4], sass[2];
};

/* Those that were seen, the most frequent first. */
struct forms {
    uint64_t record_mask[4], sass_mask[2];
    size_t count;
    const struct form *at;
    uint64_t unused_mask[4]; /* what nvlink passes over in a record */
    uint64_t fixed_mask[4];  /* what is the same in all forms; 0: not known */
};

struct record_row {
    uint32_t key;      /* the first three bytes of the record, the first one highest */
    uint8_t last_byte; /* the fourth, which goes with them */
    uint16_t opcode;
    const struct forms *forms; /* NULL: not known */
    struct field_pair fields[MOST_FIELDS];
};

/* NULL: the record is not known. */
const struct record_row *find_record_row(uint32_t key);

/* Is any record known of that opcode? */
bool has_rows(unsigned opcode);

/* One after the other, those of an opcode; NULL before the first and behind the last. */
const struct record_row *next_row_of(unsigned opcode, const struct record_row *row);

/* Does it say no more than what the opcode is? */
static inline bool
is_short_record(uint32_t key)
{
    return key & 0x400000;
}

/* Are all records that instructions of that opcode have among the known ones? */
bool has_known_records(unsigned opcode);

/* Instructions that read a special register or a constant of the system, which the record names: all
   but their own register and guard. */
struct special_read {
    uint32_t key; /* the third byte of the record, and the name in 16 bits */
    uint64_t low, high;
};

/* NULL: the name is not known. */
const struct special_read *find_special_read(uint32_t key);

/* Is it one that has a known name? */
bool is_special_read(uint64_t low, uint64_t high);

#endif
