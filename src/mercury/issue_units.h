/*
 * issue_units.h: the units that instructions are for, how long they are busy, and when results are there.
 */
#ifndef CULD_MERCURY_ISSUE_UNITS_H
#define CULD_MERCURY_ISSUE_UNITS_H

#include <stdint.h>

/* Only stalls between plain arithmetic are checked: of all others it counts what they hold up, and when their results are
   there for it. */
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
    SLOW,        /* what there are scoreboards for */
    SHARED_LOAD, /* ... which may be part of a fence */
    SLOW_ALONE, /* ... with no port: functions and conversions, special registers, textures, uniform constants */
    PAUSE,
    BRANCH, /* and exits */
    UNITS
};

/* What is busy for a while after an instruction was issued. */
enum issue_port {
    NO_PORT,
    ALU_PORT,
    PRODUCT_PORT,
    OTHER_PORT, /* that no plain arithmetic needs */
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
    BY_ALU,
    BY_MOVE,
    BY_PRODUCT,
    BY_WIDE_UPPER, /* the upper half of what is added to a product of 64 bits */
    AS_GUARD,
    READERS = 8
};

struct issue_facts {
    uint8_t takes, cycles; /* a port that is busy then, and how long */
    uint8_t result;
    uint8_t needs,
        reader;     /* of plain arithmetic: the port that has to be free, and what it reads as */
    uint16_t flags; /* enum issue_flags; 0: nothing is known */
};

enum issue_flags {
    IS_TIMED = 1,
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
