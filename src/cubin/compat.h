/*
 * compat.h: the records of .nv.compat (Hopper and later) and how those of several inputs merge.
 */
#ifndef CULD_CUBIN_COMPAT_H
#define CULD_CUBIN_COMPAT_H

#include "cubin/nvinfo.h"

enum { COMPAT_ATTRIBUTES = 16 };

enum compat_attribute {
    COMPAT_ISA_CLASS = 2,
    COMPAT_FEATURES = 3,
    COMPAT_KINDS = 5,
    COMPAT_SIX = 6,
    COMPAT_VERSION = 7,
    COMPAT_EIGHT = 8,
    COMPAT_SPECIFIC = 9,
    COMPAT_MASK = 11,
};

struct compat_values {
    bool present[COMPAT_ATTRIBUTES];
    uint16_t values[COMPAT_ATTRIBUTES];
    uint8_t order[COMPAT_ATTRIBUTES]; /* attributes in the order in which they first came */
    uint8_t count;
};

/* Targets on which the very code of an input may run, a bit each; 0: it does not say. */
uint64_t compat_mask(struct bytes section);

/* Is it for a target with the suffix 'a'? */
bool compat_is_specific(const struct compat_values *values);

/* False if the record does not have the form of its attribute, or a value that is not known. Other
   attributes than those of this release are passed over. */
bool compat_record_fits(const struct info_record *record);

/* May code of the input run on other members of its family? Of records of one attribute the last one counts. */
bool compat_suits_family(struct bytes section);

/* Do they bind the code to the very target that it was compiled for, whatever the mask says? */
bool compat_binds(const struct compat_values *values);

/* Merges the records of one input; attributes that it does not have count with their defaults. */
void compat_merge(struct compat_values *into, struct bytes section);

/* Writes the merged records; returns their size (at most COMPAT_MAX_SIZE). */
enum { COMPAT_MAX_SIZE = 4 * COMPAT_ATTRIBUTES + 12 };
size_t compat_write(const struct compat_values *values, bool is_specific, uint8_t *out);
/* Writes the mask behind them; returns its size. */
size_t compat_write_mask(uint64_t mask, uint8_t *out);

#endif
