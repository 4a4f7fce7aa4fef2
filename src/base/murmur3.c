#include "base/murmur3.h"

#include "base/bytes.h"

static uint32_t
rotate_left(uint32_t value, unsigned bits)
{
    return value << bits | value >> (32 - bits);
}

static uint32_t
scramble(uint32_t block)
{
    return rotate_left(block * 0xcc9e2d51u, 15) * 0x1b873593u;
}

uint32_t
murmur3_x86_32(const void *key, size_t length, uint32_t seed)
{
    const uint8_t *bytes = key;
    uint32_t hash = seed;
    uint32_t tail = 0;

    for (size_t i = 0; i + 4 <= length; i += 4)
        hash = rotate_left(hash ^ scramble(read_u32(bytes + i)), 13) * 5 + 0xe6546b64u;
    for (size_t i = length & 3; i > 0; i--)
        tail = tail << 8 | bytes[(length & ~(size_t)3) + i - 1];
    hash ^= scramble(tail);

    hash ^= (uint32_t)length;
    hash = (hash ^ hash >> 16) * 0x85ebca6bu;
    hash = (hash ^ hash >> 13) * 0xc2b2ae35u;
    return hash ^ hash >> 16;
}
