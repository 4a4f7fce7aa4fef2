/*
 * compat.h: the records of .nv.compat (Hopper and later) and how those of several inputs merge.
 */
#ifndef CULD_CUBIN_COMPAT_H
#define CULD_CUBIN_COMPAT_H

#include "base/bytes.h"

enum { COMPAT_ATTRIBUTES = 16 };

struct compat_values {
    bool present[COMPAT_ATTRIBUTES];
    uint16_t values[COMPAT_ATTRIBUTES];
};

/* Merges the records of one input. */
void compat_merge(struct compat_values *into, struct bytes section);

/* Writes the merged records; returns their size (at most COMPAT_MAX_SIZE). */
enum { COMPAT_MAX_SIZE = 4 * COMPAT_ATTRIBUTES };
size_t compat_write(const struct compat_values *values, bool is_specific, uint8_t *out);

#endif
