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
    SYNCHRONISES = 4        /* it may wait for more than its operands */
};

#define MOST_WRITTEN 6
#define MOST_READ 10

struct operands {
    uint8_t written_count, read_count;
    uint8_t class; /* enum producer_class */
    uint8_t flags;
    uint16_t write_latency, read_latency; /* estimates, in cycles */
    struct register_range written[MOST_WRITTEN], read[MOST_READ];
};

/* False for an instruction that is not known. */
bool operands_of(const struct instruction *instruction, struct operands *operands);

bool ranges_overlap(const struct register_range *a, unsigned a_count,
                    const struct register_range *b, unsigned b_count);

#endif
