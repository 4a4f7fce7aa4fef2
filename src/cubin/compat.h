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

/* Targets on which the very code of an input may run, a bit each; 0: it does not say. */
uint64_t compat_mask(struct bytes section);

/* Is it for a target with the suffix 'a'? */
bool compat_is_specific(const struct compat_values *values);

/* Merges the records of one input. */
void compat_merge(struct compat_values *into, struct bytes section);

/* Writes the merged records; returns their size (at most COMPAT_MAX_SIZE). */
enum { COMPAT_MAX_SIZE = 4 * COMPAT_ATTRIBUTES + 12 };
size_t compat_write(const struct compat_values *values, bool is_specific, uint8_t *out);
/* Writes the mask behind them; returns its size. */
size_t compat_write_mask(uint64_t mask, uint8_t *out);

#endif
