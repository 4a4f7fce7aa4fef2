/*
 * fuzz_mutate.h: the inputs of fuzz_link, and how libFuzzer changes them: half of the time a field
 * that the ELF headers lead to, else its own ways.
 */
#ifndef CULD_FUZZ_MUTATE_H
#define CULD_FUZZ_MUTATE_H

#include <stddef.h>
#include <stdint.h>

enum { FUZZ_IMAGES = 3 };

struct fuzz_image {
    const uint8_t *at;
    size_t size;
};

/* The images of an input; returns their number, 0: the input is too short. */
unsigned fuzz_split(const uint8_t *data, size_t size, struct fuzz_image images[FUZZ_IMAGES]);

#endif
