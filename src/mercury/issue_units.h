/*
 * issue_units.h: the units that instructions are for, how long they are busy, and when results are there.
 */
#ifndef CULD_MERCURY_ISSUE_UNITS_H
#define CULD_MERCURY_ISSUE_UNITS_H

#include <stdint.h>

enum issue_unit {
    UNKNOWN, /* nothing is known of its times, nor of those that follow */
    ALU,
    MOVE,      /* ... selections and comparisons */
    PAIR_MOVE, /* ... those that may be of 64 bits */
    LOGIC,     /* of predicates */
    TO_UNIFORM,
    CLOCK,
    FLOAT,
    PRODUCT,
    VECTOR_SUM,
    HALF,
    WIDE, /* products of 64 bits */
    HIGH, /* the upper half of such */
    LONG_SUM,
    DOUBLE,
    DOUBLE_TEST,
    UNIFORM,
    UNIFORM_MOVE,
    FUNCTION, /* conversions, too */
    CONSTANT,
    UNIFORM_SPECIAL,
    BARRIER,
    UNIFORM_CONSTANT,
    SPECIAL,
    LOAD,
    SHARED_LOAD,
    STORE,
    FETCH_UNIT,
    MEETING,
    PAUSE,
    BRANCH,
    UNIFORM_BRANCH,
    EXIT,
    UNITS
};

/* What is busy for a while after an instruction was issued. */
enum issue_port {
    NO_PORT,
    ALU_PORT,
    PRODUCT_PORT,
    DOUBLE_PORT,
    FUNCTION_PORT,
    CONSTANT_PORT,
    MEMORY_PORT,
    UNIFORM_PORT,
    BRANCH_PORT,
    OTHER_PORT, /* all that a barrier holds up */
    PORTS
};

/* Whose result it is, in the table of latencies. */
enum result_kind {
    LATE_RESULT, /* there is a scoreboard for it */
    ALU_RESULT,
    MOVE_RESULT,
    CLOCK_RESULT,
    FLOAT_RESULT,
    HALF_RESULT,
    WIDE_LOW_RESULT,
    WIDE_RESULT,
    HIGH_RESULT,
    LONG_RESULT,
    DOUBLE_RESULT,
    UNIFORM_RESULT,
    UNIFORM_MOVED,
    FROM_GENERAL, /* into uniform registers */
    RESULTS
};

/* What reads a result. */
enum result_reader {
    BY_ANY,
    BY_ALU,
    BY_MOVE,
    BY_PRODUCT,
    BY_WIDE_UPPER, /* the upper half of what is added to a product of 64 bits */
    BY_HALF,
    BY_LONG,
    BY_DOUBLE,
    BY_MEMORY,
    BY_FUNCTION,
    BY_UNIFORM,
    BY_CONSTANT,
    BY_BRANCH,
    AS_GUARD,
    READERS = 16
};

struct issue_facts {
    uint8_t needs, takes,
        cycles; /* a port that has to be free; one that is busy then, and how long */
    uint8_t result, reader;
    uint16_t flags; /* enum issue_flags; 0: nothing is known */
};

enum issue_flags {
    IS_TIMED = 1,
    IS_LATE = 2,       /* its results come late; registers must not be about to be written */
    MAY_STALL = 4,     /* it may come later than it could */
    IS_PLAIN_UNIT = 8, /* its stalls are checked */
    ENDS_BLOCK = 16,
    SETS_UNIFORM = 32,     /* a uniform register */
    SETS_PAIR = 64,        /* two general registers */
    MAY_BE_OF_PAIRS = 128, /* of 64 bits, with other times */
    MAY_BE_OF_FENCE = 256, /* part of a fence, with other times */
    HOLDS_ALL = 512        /* many ports */
};

/* The least latency, and how much more it may be. */
struct latency {
    uint8_t least, more;
};

struct issue_family {
    struct issue_facts units[UNITS];
    struct latency latencies[RESULTS][READERS];
};

/* By the twelve bits of the opcode. */
extern const uint8_t issue_units[4096];

/* NULL: nothing is known of a target. */
const struct issue_family *issue_family_of(unsigned target);

#endif
