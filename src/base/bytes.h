/*
 * bytes.h: little-endian reads and writes on unaligned memory, and alignment arithmetic.
 *
 * Device code is little endian and input offsets promise no alignment, so every multi-byte access
 * to input or output bytes goes through these.
 */
#ifndef CULD_BASE_BYTES_H
#define CULD_BASE_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "multi-byte values are not swapped");

struct bytes {
    const uint8_t *at;
    size_t size;
};

/* What alignments are. */
static inline bool
is_power_of_two(uint64_t value)
{
    return value && !(value & (value - 1));
}

static inline uint16_t
read_u16(const uint8_t *at)
{
    uint16_t value;
    memcpy(&value, at, sizeof value);
    return value;
}

static inline uint32_t
read_u32(const uint8_t *at)
{
    uint32_t value;
    memcpy(&value, at, sizeof value);
    return value;
}

static inline uint64_t
read_u64(const uint8_t *at)
{
    uint64_t value;
    memcpy(&value, at, sizeof value);
    return value;
}

static inline void
write_u16(uint8_t *at, uint16_t value)
{
    memcpy(at, &value, sizeof value);
}

static inline void
write_u32(uint8_t *at, uint32_t value)
{
    memcpy(at, &value, sizeof value);
}

static inline void
write_u64(uint8_t *at, uint64_t value)
{
    memcpy(at, &value, sizeof value);
}

/* Is [offset, offset + size) inside the bytes? Written so that it cannot wrap. */
static inline bool
bytes_hold(struct bytes bytes, uint64_t offset, uint64_t size)
{
    return offset <= bytes.size && size <= bytes.size - offset;
}

/* Takes some from the beginning of others; false if there are fewer. */
static inline bool
bytes_take(struct bytes *from, uint64_t count, struct bytes *out)
{
    if (count > from->size)
        return false;
    *out = (struct bytes){from->at, count};
    *from = (struct bytes){from->at + count, from->size - count};
    return true;
}

/* The same for a number of up to eight bytes. */
static inline bool
bytes_take_number(struct bytes *from, size_t size, uint64_t *number)
{
    struct bytes bytes;

    *number = 0;
    if (!bytes_take(from, size, &bytes))
        return false;
    memcpy(number, bytes.at, size);
    return true;
}

static inline bool
bytes_equal(struct bytes a, struct bytes b)
{
    return a.size == b.size && (!a.size || !memcmp(a.at, b.at, a.size));
}

/* Rounds up to any alignment, not only powers of two: input alignments are taken as they come. */
static inline uint64_t
align_up(uint64_t value, uint64_t alignment)
{
    if (alignment <= 1)
        return value;
    bool is_power = !(alignment & (alignment - 1)); /* nearly always; to divide takes longer */
    uint64_t rest = is_power ? value & (alignment - 1) : value % alignment;
    return rest ? value + (alignment - rest) : value;
}

/* The top bit of the lowest byte that is 0, and of some above it; 0: none is. */
static inline uint64_t
zero_bytes(uint64_t word)
{
    return (word - 0x0101010101010101u) & ~word & 0x8080808080808080u;
}

/* Behind the string that begins there; 0: it has no end. Most end in the first word. */
uint64_t long_string_end(struct bytes bytes, uint64_t at);
static inline uint64_t
string_end(struct bytes bytes, uint64_t at)
{
    enum { BITS = 8 };

    if (!bytes_hold(bytes, at, sizeof(uint64_t)))
        return long_string_end(bytes, at);
    uint64_t ends = zero_bytes(read_u64(bytes.at + at));
    return ends ? at + (uint64_t)__builtin_ctzll(ends) / BITS + 1 : long_string_end(bytes, at);
}

/* The next NUL-terminated string of a list of them; false at its end. Empty ones are left out. */
bool next_string(struct bytes *list, struct bytes *out);

/* Costs little if the prefix is a literal, as it mostly is, and the text another one. */
static inline bool
text_begins(const char *text, const char *prefix)
{
    size_t length = strlen(prefix);

    for (size_t i = 0; i < length; i++)
        if (text[i] != prefix[i])
            return false;
    return true;
}

static inline uint64_t
max_u64(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

#endif
