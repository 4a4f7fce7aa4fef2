/*
 * zstd_bits.h: bit streams of zstd, which are read from their end to their beginning.
 */
#ifndef CULD_INPUT_ZSTD_BITS_H
#define CULD_INPUT_ZSTD_BITS_H

#include "base/bytes.h"

struct zstd_bits {
    struct bytes bytes;
    int64_t left; /* bits that were not read; below 0: more was read than there is */
};

/* As many are in a word, wherever it begins. */
enum { ZSTD_BITS_AT_ONCE = 57 };

static inline unsigned
highest_bit(uint32_t value)
{
    return 31 - (unsigned)__builtin_clz(value);
}

/* The highest bit of the last byte marks the end; false if there is none. */
static inline bool
zstd_bits_open(struct zstd_bits *bits, struct bytes bytes)
{
    if (!bytes.size || !bytes.at[bytes.size - 1])
        return false;
    *bits = (struct zstd_bits){bytes, (int64_t)(bytes.size - 1) * 8 +
                                          highest_bit(bytes.at[bytes.size - 1])};
    return true;
}

/* The next `count` bits, up to 32 of them; those that there are not are 0. */
static inline uint32_t
zstd_bits_peek(const struct zstd_bits *bits, unsigned count)
{
    int64_t from = bits->left - (int64_t)count;
    uint64_t at = from > 0 ? (uint64_t)from / 8 : 0, word = 0;
    uint64_t mask = ((uint64_t)1 << count) - 1;

    if (bits->left <= 0)
        return 0;
    if (bits->bytes.size - at >= sizeof word)
        word = read_u64(bits->bytes.at + at);
    else
        memcpy(&word, bits->bytes.at + at, bits->bytes.size - at);
    if (from >= 0)
        return (uint32_t)(word >> (from % 8) & mask);
    return (uint32_t)((word & (((uint64_t)1 << bits->left) - 1)) << -from);
}

/* Of that many and more, the next ones from the top of a word on. */
static inline uint64_t
zstd_bits_word(const struct zstd_bits *bits)
{
    int64_t at = (bits->left - ZSTD_BITS_AT_ONCE) / 8;

    return read_u64(bits->bytes.at + at) << (8 * at + 64 - bits->left);
}

static inline uint32_t
zstd_bits_read(struct zstd_bits *bits, unsigned count)
{
    uint32_t value = zstd_bits_peek(bits, count);

    bits->left -= count;
    return value;
}

#endif
