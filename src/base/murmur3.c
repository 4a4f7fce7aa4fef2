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

static uint32_t
add_block(uint32_t hash, uint32_t block)
{
    return rotate_left(hash ^ scramble(block), 13) * 5 + 0xe6546b64u;
}

/* What does not fill a block. */
static uint32_t
read_tail(const uint8_t *bytes, size_t length)
{
    switch (length) {
    case 3:
        return read_u16(bytes) | (uint32_t)bytes[2] << 16;
    case 2:
        return read_u16(bytes);
    case 1:
        return bytes[0];
    }
    return 0;
}

uint32_t
murmur3_x86_32(const void *key, size_t length, uint32_t seed)
{
    const uint8_t *bytes = key;
    uint32_t hash = seed;
    size_t at = 0;

    for (; length - at >= 8; at += 8) { /* two blocks at once */
        hash = add_block(hash, read_u32(bytes + at));
        hash = add_block(hash, read_u32(bytes + at + 4));
    }
    if (length - at >= 4) {
        hash = add_block(hash, read_u32(bytes + at));
        at += 4;
    }
    hash ^= scramble(read_tail(bytes + at, length - at));

    hash ^= (uint32_t)length;
    hash = (hash ^ hash >> 16) * 0x85ebca6bu;
    hash = (hash ^ hash >> 13) * 0xc2b2ae35u;
    return hash ^ hash >> 16;
}
