#include "fuzz_mutate.h"

#include "fuzz_layout.h"

#include <stdbool.h>
#include <string.h>

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed);

static uint64_t
odd_value(uint64_t old, const struct fuzz_image *image, uint64_t *state)
{
    static const uint64_t edges[] = {
        0,          1,          2,          3,          4,          7,          8,
        0x7f,       0x80,       0xff,       0xff00,     0xfff1,     0xfff2,     0xffff,
        0xffffff,   0x1000000,  0x7fffffff, 0x80000000, 0xffffffff, 1ull << 32, 1ull << 44,
        ~0ull >> 1, 1ull << 63, ~0ull - 7,  ~0ull,
    };

    switch (fuzz_below(state, 7)) {
    case 0:
        return edges[fuzz_below(state, sizeof edges / sizeof *edges)];
    case 1:
        return old + 1;
    case 2:
        return old - 1;
    case 3:
        return old ^ 1ull << fuzz_below(state, 64);
    case 4:
        return image->size - fuzz_below(state, 3);
    case 5: /* section types, attributes, relocation types, indices */
        return (old & 0x70000000) | fuzz_below(state, 0x88);
    default:
        return fuzz_below(state, 40);
    }
}

/* Changes a field, or copies a row over another one; false: there is no table. */
static bool
change_table(uint8_t *bytes, const struct fuzz_image *image, uint64_t *state)
{
    struct fuzz_region region = fuzz_choose_region(image, state);
    size_t step = region.layout ? region.layout->step : 1, rows = region.size / step;

    if (!rows || region.offset > image->size || region.size > image->size - region.offset)
        return false;
    uint8_t *row = bytes + region.offset + step * fuzz_below(state, rows);
    const uint8_t *other = bytes + region.offset + step * fuzz_below(state, rows);
    if (fuzz_below(state, 8) == 0) {
        memmove(row, other, step);
        return true;
    }
    struct fuzz_field field = region.layout->fields[fuzz_below(state, region.layout->count)];
    uint64_t value = 0;
    memcpy(&value, (fuzz_below(state, 5) ? row : other) + field.offset, field.width);
    value = odd_value(value, image, state);
    memcpy(row + field.offset, &value, field.width);
    return true;
}

size_t
LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
    struct fuzz_image images[FUZZ_IMAGES];
    unsigned count = fuzz_images(data, size, images);
    uint64_t state = seed * 2654435761u + 1u;

    fuzz_below(&state, 1);
    if (!count || fuzz_below(&state, 8) == 0)
        return LLVMFuzzerMutate(data, size, max_size);
    if (images[0].at != data && fuzz_below(&state, 12) == 0) { /* options or target */
        data[0] ^= (uint8_t)(1u << fuzz_below(&state, 8));
        return size;
    }
    const struct fuzz_image *image = &images[fuzz_below(&state, count)];
    for (uint64_t changes = 1 + fuzz_below(&state, 3); changes; changes--)
        if (!change_table(data + (image->at - data), image, &state))
            return LLVMFuzzerMutate(data, size, max_size);
    return size;
}
