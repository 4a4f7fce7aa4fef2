#include "input/zstd_streams.h"

#include "input/zstd_tables.h"

static bool
take_bytes(struct bytes *from, uint64_t count, struct bytes *out)
{
    if (count > from->size)
        return false;
    *out = (struct bytes){from->at, count};
    *from = (struct bytes){from->at + count, from->size - count};
    return true;
}

/* A number of up to five bytes. */
static bool
take_number(struct bytes *from, size_t size, uint64_t *number)
{
    struct bytes bytes;

    *number = 0;
    if (!take_bytes(from, size, &bytes))
        return false;
    memcpy(number, bytes.at, size);
    return true;
}

/* ---- literals ---- */

/* How many bytes can be read at once: all of their bits are in a word, wherever it begins. */
enum { AT_ONCE = 5, BITS_AT_ONCE = 57 };

static inline void
skip_at_once(const struct zstd_lengths *lengths, struct zstd_bits *bits)
{
    int64_t at = (bits->left - BITS_AT_ONCE) / 8;
    uint64_t word = read_u64(bits->bytes.at + at) << (8 * at + 64 - bits->left);
    unsigned used = 0;

    for (int i = 0; i < AT_ONCE; i++) {
        unsigned length = lengths->at[word >> (64 - lengths->bits)];

        word <<= length;
        used += length;
    }
    bits->left -= used;
}

/* Does the stream end behind so many bytes? */
static bool
ends_behind(const struct zstd_lengths *lengths, struct zstd_bits bits, uint64_t count)
{
    for (; count >= AT_ONCE && bits.left >= BITS_AT_ONCE; count -= AT_ONCE)
        skip_at_once(lengths, &bits);
    for (; count && bits.left > 0; count--)
        bits.left -= lengths->at[zstd_bits_peek(&bits, lengths->bits)];
    return !count && bits.left == 0;
}

static bool
stream_ends(const struct zstd_lengths *lengths, struct bytes stream, uint64_t count)
{
    struct zstd_bits bits;

    return zstd_bits_open(&bits, stream) && ends_behind(lengths, bits, count);
}

enum { STREAMS = 4 };

/* The sizes of all but the last stand before them. */
static bool
open_streams(struct zstd_bits bits[STREAMS], struct bytes packed)
{
    uint64_t sizes[STREAMS] = {0};
    struct bytes stream;

    for (int i = 0; i + 1 < STREAMS; i++)
        if (!take_number(&packed, sizeof(uint16_t), &sizes[i]))
            return false;
    for (int i = 0; i < STREAMS; i++)
        if (!take_bytes(&packed, i + 1 < STREAMS ? sizes[i] : packed.size, &stream) ||
            !zstd_bits_open(&bits[i], stream))
            return false;
    return true;
}

/* Four streams, of which the last may have fewer bytes. They are read side by side, which takes little longer
   than one. */
static bool
four_streams_end(const struct zstd_lengths *lengths, struct bytes packed, uint64_t count)
{
    struct zstd_bits bits[STREAMS];
    uint64_t each = (count + STREAMS - 1) / STREAMS, last = count - each * (STREAMS - 1), n = 0;

    if (each * (STREAMS - 1) > count || !open_streams(bits, packed))
        return false;
    for (; n + AT_ONCE <= last && bits[0].left >= BITS_AT_ONCE && bits[1].left >= BITS_AT_ONCE &&
           bits[2].left >= BITS_AT_ONCE && bits[3].left >= BITS_AT_ONCE;
         n += AT_ONCE)
        for (int i = 0; i < STREAMS; i++)
            skip_at_once(lengths, &bits[i]);
    for (int i = 0; i < STREAMS; i++)
        if (!ends_behind(lengths, bits[i], (i + 1 < STREAMS ? each : last) - n))
            return false;
    return true;
}

/* The bytes that are not repeated. */
static bool
literals_end(struct zstd_lengths *lengths, struct bytes *block)
{
    enum { RAW, REPEATED, WITH_TABLE, WITHOUT_TABLE };
    static const struct form {
        uint8_t head, shift, bits; /* of the sizes, of which raw bytes have one */
    } raw[] = {{1, 3, 5}, {2, 4, 12}, {1, 3, 5}, {3, 4, 20}},
      packed[] = {{3, 4, 10}, {3, 4, 10}, {4, 4, 14}, {5, 4, 18}};

    if (!block->size)
        return false;
    unsigned kind = block->at[0] & 3, size_form = block->at[0] >> 2 & 3;
    const struct form *form = kind < WITH_TABLE ? &raw[size_form] : &packed[size_form];
    uint64_t head, mask = ((uint64_t)1 << form->bits) - 1;
    struct bytes bytes;
    if (!take_number(block, form->head, &head))
        return false;
    uint64_t count = head >> form->shift & mask, size = head >> (form->shift + form->bits) & mask;
    if (kind < WITH_TABLE)
        return take_bytes(block, kind == RAW ? count : 1, &bytes);
    if (!take_bytes(block, size, &bytes) ||
        (kind == WITH_TABLE && !zstd_read_lengths(lengths, &bytes)))
        return false;
    return size_form ? four_streams_end(lengths, bytes, count) : stream_ends(lengths, bytes, count);
}

static bool
take_count(struct bytes *block, uint64_t *count)
{
    enum { FIRST_OF_TWO = 128, FIRST_OF_THREE = 255, LEAST_OF_THREE = 0x7f00 };
    uint64_t more;

    if (!take_number(block, 1, count))
        return false;
    if (*count < FIRST_OF_TWO)
        return true;
    if (!take_number(block, *count < FIRST_OF_THREE ? 1 : 2, &more))
        return false;
    *count = *count < FIRST_OF_THREE ? (*count - FIRST_OF_TWO) << 8 | more : more + LEAST_OF_THREE;
    return true;
}

/* What is repeated between them is not looked at: the library does. Behind how often stands how it is packed. */
static bool
block_ends(struct zstd_lengths *lengths, struct bytes block)
{
    enum { RESERVED = 3 };
    uint64_t count, packing;

    if (!literals_end(lengths, &block) || !take_count(&block, &count))
        return false;
    return !count || (take_number(&block, 1, &packing) && !(packing & RESERVED));
}

/* ---- the frame ---- */

/* Magic, flags, and what these say. */
static bool
skip_header(struct bytes *frame)
{
    enum { FLAGS_AT = 4, HAS_NO_WINDOW = 1 << 5, HEAD = 5 };
    static const uint8_t id_sizes[] = {0, 1, 2, 4}, content_sizes[] = {0, 2, 4, 8};

    if (frame->size < HEAD)
        return false;
    unsigned flags = frame->at[FLAGS_AT];
    bool has_window = !(flags & HAS_NO_WINDOW);
    size_t content_size = content_sizes[flags >> 6];
    struct bytes header;
    if (!content_size && !has_window)
        content_size = 1;
    return take_bytes(frame, HEAD + has_window + id_sizes[flags & 3] + content_size, &header);
}

bool
zstd_streams_end(struct bytes frame)
{
    enum { HEAD = 3, LAST = 1, RAW = 0, REPEATED = 1, PACKED = 2 };
    struct zstd_lengths lengths = {.bits = 1};
    uint64_t head = 0;

    if (!skip_header(&frame))
        return false;
    while (!(head & LAST)) {
        struct bytes block;

        if (!take_number(&frame, HEAD, &head))
            return false;
        unsigned kind = head >> 1 & 3;
        if (!take_bytes(&frame, kind == REPEATED ? 1 : head >> 3, &block) ||
            (kind == PACKED && !block_ends(&lengths, block)))
            return false;
    }
    return true;
}
