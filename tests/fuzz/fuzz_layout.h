/*
 * fuzz_layout.h: the tables of an image, their rows and the fields of these.
 */
#ifndef CULD_FUZZ_LAYOUT_H
#define CULD_FUZZ_LAYOUT_H

#include "fuzz_mutate.h"

struct fuzz_field {
    uint8_t offset, width;
};

struct fuzz_layout {
    uint8_t step, count;
    struct fuzz_field fields[10];
};

/* A table in an image. */
struct fuzz_region {
    const struct fuzz_layout *layout;
    size_t offset, size;
};

/* A small random source, started from libFuzzer's seed. */
uint64_t fuzz_below(uint64_t *state, uint64_t limit);

/* A table by chance. Its size is 0 where the image is no frame that is known. */
struct fuzz_region fuzz_choose_region(const struct fuzz_image *image, uint64_t *state);

#endif
