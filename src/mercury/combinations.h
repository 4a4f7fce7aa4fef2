/*
 * combinations.h: what instructions without a record never say together.
 *
 * Some fields mean something beside others alone, and what has no result is left out. nvlink makes other code of such, or
 * dies. Found in hundreds of thousands of different instructions, random arithmetic without optimisation among them.
 */
#ifndef CULD_MERCURY_COMBINATIONS_H
#define CULD_MERCURY_COMBINATIONS_H

#include <stdbool.h>
#include <stdint.h>

/* By the low nine bits of the opcode; the others say where operands are. */
enum combined_operation {
    COMPARE_FLOATS = 0x00b,
    COMPARE_INTEGERS = 0x00c,
    SUM_OF_THREE = 0x010,
    SCALED_SUM = 0x011,
    SHIFT = 0x019,
    COMPARE_DOUBLES = 0x02a,
    COMPARE_UNIFORM = 0x08c,
};

/* Bits of the upper half, and what there is if it has none. */
enum { LAST_SOURCE = 0xff, NO_SOURCE = 0xff };

/* The result is combined with another predicate by AND, OR or XOR; with none by AND. */
static inline bool
is_odd_logic(uint64_t high)
{
    enum { OPERATION_AT = 10, NO_OPERATION = 3, PREDICATE_AT = 23, NONE = 7 };
    unsigned operation = high >> OPERATION_AT & 3;

    return operation == NO_OPERATION || (operation && (high >> PREDICATE_AT & 15) == NONE);
}

/* Of two predicates that are written the second is mostly none, and the first never. */
static inline bool
has_odd_results(uint64_t high)
{
    enum { FIRST_AT = 17, SECOND_AT = 20, NONE = 7 };
    unsigned first = high >> FIRST_AT & 7;

    return first == NONE || first == (high >> SECOND_AT & 7);
}

/* The upper words of integers are compared with what is known of the lower ones. */
static inline bool
has_no_lower_words(uint64_t high)
{
    enum { IS_UPPER = 1 << 8, LOWER_AT = 4, NONE = 7 };
    return high & IS_UPPER && (high >> LOWER_AT & 15) == NONE;
}

/* A third source that is none has no sign. */
static inline bool
has_sign_of_none(uint64_t high)
{
    enum { IS_NEGATIVE = 1 << 11 };
    return high & IS_NEGATIVE && (high & LAST_SOURCE) == NO_SOURCE;
}

/* The lower half has no bits from another source, no sign, and no carry. */
static inline bool
is_odd_scaled_sum(uint64_t high)
{
    enum { IS_SIGNED = 1 << 9, HAS_CARRY = 1 << 10, IS_UPPER = 1 << 16 };
    return !(high & IS_UPPER) &&
           (high & (IS_SIGNED | HAS_CARRY) || (high & LAST_SOURCE) != NO_SOURCE);
}

/* To the left nothing is signed. */
static inline bool
is_odd_shift(uint64_t high)
{
    enum { IS_UNSIGNED = 1 << 9, IS_RIGHT = 1 << 12 };
    return !(high & (IS_UNSIGNED | IS_RIGHT));
}

static inline bool
is_odd_combination(uint64_t low, uint64_t high)
{
    enum { OPERATION = 0x1ff };

    switch (low & OPERATION) {
    case COMPARE_FLOATS:
        return is_odd_logic(high) || has_odd_results(high);
    case COMPARE_INTEGERS:
    case COMPARE_UNIFORM:
        return is_odd_logic(high) || has_odd_results(high) || has_no_lower_words(high);
    case COMPARE_DOUBLES:
        return is_odd_logic(high);
    case SUM_OF_THREE:
        return has_sign_of_none(high);
    case SCALED_SUM:
        return is_odd_scaled_sum(high);
    case SHIFT:
        return is_odd_shift(high);
    }
    return false;
}

#endif
