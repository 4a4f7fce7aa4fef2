/*
 * fuzz_mutate.h: how libFuzzer changes device images and what they are packed in: most of the time
 * a field that the frame leads to (ELF, fatbin), which leaves the rest of the frame valid; else its
 * own ways.
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

/* Of the target: the images in one of its inputs; returns their number, 0: there are none. */
unsigned fuzz_images(const uint8_t *data, size_t size, struct fuzz_image images[FUZZ_IMAGES]);

#endif
