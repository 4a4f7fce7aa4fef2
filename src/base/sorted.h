/*
 * sorted.h: rows of a table by what they begin with.
 */
#ifndef CULD_BASE_SORTED_H
#define CULD_BASE_SORTED_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* The number of the first of `count` rows of `size` bytes that does not begin with a smaller key; they are sorted by it.
   Without branches, which nobody could predict. */
static inline size_t
first_not_below(const void *rows, size_t count, size_t size, uint32_t key)
{
    const uint8_t *first = rows;

    for (size_t left = count; left; left /= 2) {
        uint32_t middle;
        memcpy(&middle, first + left / 2 * size, sizeof middle);
        first += middle < key ? (left - left / 2) * size : 0;
    }
    return (size_t)(first - (const uint8_t *)rows) / size;
}

#endif
