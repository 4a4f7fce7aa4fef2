/*
 * operands.h: the registers that an instruction reads and writes.
 *
 * All register files share one numbering, so that a range of it says file and registers.
 */
#ifndef CULD_SCHEDULE_OPERANDS_H
#define CULD_SCHEDULE_OPERANDS_H

#include "schedule/instruction.h"

enum register_file {
    GENERAL_REGISTERS = 0,
    UNIFORM_REGISTERS = 256,
    PREDICATES = 512,
    UNIFORM_PREDICATES = 520,
    REGISTER_COUNT = 528
};

struct register_range {
    uint16_t first : 12, count : 4;
};

/* What a slow instruction is waited for, as far as it decides which scoreboard it gets. */
enum producer_class {
    SHORT_LATENCY, /* anything not below */
    LONG_LATENCY,  /* loads from global and local memory, atomics */
    TEXTURE,       /* keeps to the last scoreboard */
    ASYNC_GROUP    /* keeps to the first scoreboard, which DEPBAR counts */
};

enum operand_flags {
    READS_UNIFORM_LATE = 1, /* its uniform operands too are read after issue */
    REGISTERS_ONLY = 2,     /* a wait for it can have no reason but its registers */
    SYNCHRONISES = 4,       /* it may wait for more than its operands */
    IS_LANDMARK = 8,        /* control flow and groups of copies, which are looked for */
    MAY_BE_SPARSE = 16,     /* a product of matrices: on sparse ones it has more operands */
    COUNTS_DOWN = 32,       /* waits for scoreboards that it names itself */
    TOUCHES_ALL = 64,       /* a call: what is called may use any register */
    FETCHES = 128           /* from a texture or surface: the last scoreboard is kept for it */
};

/* What an opcode says of its instructions. */
struct traits {
    uint8_t class;                        /* enum producer_class */
    uint8_t flags;                        /* enum operand_flags */
    uint16_t write_latency, read_latency; /* estimates, in cycles */
};

#define MOST_WRITTEN 6
#define MOST_READ 10

struct operands {
    struct traits traits;
    uint8_t written_count, read_count;
    struct register_range written[MOST_WRITTEN], read[MOST_READ];
    /* A bit for each register, and several registers to a bit: what has none in common has no
       register in common. */
    uint64_t written_sieve, read_sieve;
};

/* Of an instruction that is known. */
void operands_of(const struct instruction *instruction, struct operands *operands);

/* The sieves alone, also of what is read after issue. */
struct sieves {
    uint64_t written, read, read_late;
};
struct sieves sieves_of(const struct instruction *instruction);

/* Sets the entries of its registers, predicates aside, of those that it writes in both tables. */
void mark_registers(const struct instruction *instruction, uint32_t mark, uint32_t *touched,
                    uint32_t *written);

/* By such a table: how far behind `first` is the nearest of the registers that it writes? */
uint32_t distance_of_results(const struct instruction *instruction, const uint32_t *table,
                             uint32_t first);

/* How many registers the field at a bit names, as mercury says it, and whether they are written; 0: none, or nobody
   knows. */
unsigned registers_at(const struct instruction *instruction, unsigned bit, bool *is_written);

/* Masks, a bit for each from PREDICATES on. */
unsigned predicates_written(const struct instruction *instruction);
unsigned predicates_touched(const struct instruction *instruction);

/* Cycles until it has written its results; an estimate. */
unsigned write_latency_of(const struct instruction *instruction);

bool uses_stack_pointer(const struct instruction *instruction);

/* Is an operand of a producer, whose first register that is, read after issue? */
static inline bool
is_read_late(unsigned flags, unsigned first)
{
    return first < UNIFORM_REGISTERS || (first < PREDICATES && flags & READS_UNIFORM_LATE);
}

bool ranges_overlap(const struct register_range *a, unsigned a_count,
                    const struct register_range *b, unsigned b_count);

static inline bool
writes_what_is_read(const struct operands *writer, const struct operands *reader)
{
    return writer->written_sieve & reader->read_sieve &&
           ranges_overlap(writer->written, writer->written_count, reader->read, reader->read_count);
}

static inline bool
writes_the_same(const struct operands *a, const struct operands *b)
{
    return a->written_sieve & b->written_sieve &&
           ranges_overlap(a->written, a->written_count, b->written, b->written_count);
}

#endif
