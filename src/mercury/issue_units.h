/*
 * issue_units.h: the units that instructions are for.
 */
#ifndef CULD_MERCURY_ISSUE_UNITS_H
#define CULD_MERCURY_ISSUE_UNITS_H

#include <stdint.h>

enum issue_unit {
    UNKNOWN,
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

/* By the twelve bits of the opcode. */
extern const uint8_t issue_units[4096];

#endif
