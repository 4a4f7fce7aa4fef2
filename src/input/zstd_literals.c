#include "input/zstd_literals.h"

/* ---- what is said before them ---- */

bool
zstd_take_literals(struct zstd_literals *literals, struct bytes *block)
{
    static const struct form {
        uint8_t head, shift, bits; /* of the sizes, of which raw bytes have one */
    } raw[] = {{1, 3, 5}, {2, 4, 12}, {1, 3, 5}, {3, 4, 20}},
      packed[] = {{3, 4, 10}, {3, 4, 10}, {4, 4, 14}, {5, 4, 18}};
    struct bytes all = *block;
    uint64_t head;

    if (!block->size)
        return false;
    literals->kind = block->at[0] & 3;
    bool is_packed = literals->kind >= ZSTD_WITH_TABLE;
    unsigned number = block->at[0] >> 2 & 3;
    const struct form *form = is_packed ? &packed[number] : &raw[number];
    uint64_t mask = ((uint64_t)1 << form->bits) - 1;
    if (!bytes_take_number(block, form->head, &head))
        return false;
    literals->streams = number ? 4 : 1;
    literals->count = head >> form->shift & mask;
    uint64_t size = is_packed                    ? head >> (form->shift + form->bits) & mask
                    : literals->kind == ZSTD_RAW ? literals->count
                                                 : 1;
    if (!bytes_take(block, size, &literals->packed))
        return false;
    literals->whole = (struct bytes){all.at, all.size - block->size};
    return true;
}

/* ---- Huffman codes ---- */

/* How many can be read at once. */
enum { AT_ONCE = 5, STREAMS = 4 };
_Static_assert(AT_ONCE *ZSTD_MOST_HUFFMAN_BITS <= ZSTD_BITS_AT_ONCE,
               "a word has all of their bits");

static inline void
unpack_at_once(const struct zstd_codes *codes, struct zstd_bits *bits, uint8_t *to)
{
    uint64_t word = zstd_bits_word(bits);

    for (int i = 0; i < AT_ONCE; i++) {
        uint16_t code = codes->at[word >> (64 - codes->bits)];

        to[i] = (uint8_t)(code >> 8);
        word <<= code & UINT8_MAX;
        bits->left -= code & UINT8_MAX;
    }
}

/* False if the stream ends before or behind the last of them. */
static bool
unpack_stream(const struct zstd_codes *codes, struct zstd_bits bits, uint8_t *to, uint64_t count)
{
    for (; count >= AT_ONCE && bits.left >= ZSTD_BITS_AT_ONCE; count -= AT_ONCE, to += AT_ONCE)
        unpack_at_once(codes, &bits, to);
    for (; count && bits.left > 0; count--) {
        uint16_t code = codes->at[zstd_bits_peek(&bits, codes->bits)];

        *to++ = (uint8_t)(code >> 8);
        bits.left -= code & UINT8_MAX;
    }
    return !count && bits.left == 0;
}

/* The sizes of all but the last stand before them. */
static bool
open_streams(struct zstd_bits bits[STREAMS], struct bytes packed)
{
    uint64_t sizes[STREAMS] = {0};
    struct bytes stream;

    for (int i = 0; i + 1 < STREAMS; i++)
        if (!bytes_take_number(&packed, sizeof(uint16_t), &sizes[i]))
            return false;
    for (int i = 0; i < STREAMS; i++)
        if (!bytes_take(&packed, i + 1 < STREAMS ? sizes[i] : packed.size, &stream) ||
            !zstd_bits_open(&bits[i], stream))
            return false;
    return true;
}

/* Four streams, of which the last may have fewer bytes. They are read side by side, which takes little longer
   than one. */
static bool
unpack_streams(const struct zstd_codes *codes, struct bytes packed, uint8_t *to, uint64_t count)
{
    struct zstd_bits bits[STREAMS];
    uint64_t each = (count + STREAMS - 1) / STREAMS, last = count - each * (STREAMS - 1), n = 0;

    if (each * (STREAMS - 1) > count || !open_streams(bits, packed))
        return false;
    for (; n + AT_ONCE <= last && bits[0].left >= ZSTD_BITS_AT_ONCE &&
           bits[1].left >= ZSTD_BITS_AT_ONCE && bits[2].left >= ZSTD_BITS_AT_ONCE &&
           bits[3].left >= ZSTD_BITS_AT_ONCE;
         n += AT_ONCE)
        for (uint64_t i = 0; i < STREAMS; i++)
            unpack_at_once(codes, &bits[i], to + i * each + n);
    for (uint64_t i = 0; i < STREAMS; i++)
        if (!unpack_stream(codes, bits[i], to + i * each + n, (i + 1 < STREAMS ? each : last) - n))
            return false;
    return true;
}

bool
zstd_unpack_literals(const struct zstd_literals *literals, struct zstd_codes *codes, uint8_t *to)
{
    struct bytes packed = literals->packed;
    struct zstd_bits bits;

    if (literals->kind == ZSTD_WITH_TABLE ? !zstd_read_codes(codes, &packed) : !codes->bits)
        return false;
    if (literals->streams == STREAMS)
        return unpack_streams(codes, packed, to, literals->count);
    return zstd_bits_open(&bits, packed) && unpack_stream(codes, bits, to, literals->count);
}
