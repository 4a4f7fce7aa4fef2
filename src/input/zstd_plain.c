#include "input/zstd_plain.h"

#include "input/zstd_literals.h"

/* RFC 8878, section 3.1.1. Of a frame and a block: */
static const uint32_t magic = 0xfd2fb528;
enum {
    FLAGS_AT = sizeof(uint32_t),
    HEAD = 5,
    HAS_CHECKSUM = 1 << 2,
    RESERVED_FLAG = 1 << 3,
    HAS_NO_WINDOW = 1 << 5,
    SIZE_OF_8_BYTES = 3 << 6,
    LARGE_WINDOW = 17 << 3, /* 128 MB: more than any block goes back */
    PLAIN_HEAD = HEAD + 1 + sizeof(uint64_t),
    BLOCK_HEAD = 3,
    LITERALS_HEAD = 3,
    LARGEST_BLOCK = 1 << 17,
};

enum { IS_LAST = 1, RAW = 0, REPEATED = 1, PACKED = 2 };

struct writer {
    uint8_t *at;
    uint64_t room;    /* for literals: as many as there may be */
    bool has_to_stay; /* some block would be too large */
};

static void
write_bytes(struct writer *to, struct bytes bytes)
{
    memcpy(to->at, bytes.at, bytes.size);
    to->at += bytes.size;
}

static void
write_number(uint8_t *at, uint64_t number, size_t size)
{
    memcpy(at, &number, size);
}

/* Behind how often something is repeated stands how that is packed, with two bits that are 0. */
static bool
sequences_begin_well(struct bytes block)
{
    enum { FIRST_OF_TWO = 128, FIRST_OF_THREE = 255, RESERVED = 3 };

    if (!block.size)
        return false;
    unsigned first = block.at[0];
    size_t at = first < FIRST_OF_TWO ? 1 : first < FIRST_OF_THREE ? 2 : 3;
    return !first || (at < block.size && !(block.at[at] & RESERVED));
}

/* The literals as they are, with what is said before such. */
static bool
write_literals(struct writer *to, const struct zstd_literals *literals, struct zstd_codes *codes)
{
    enum { LONG_FORM = 3 << 2, COUNT_AT = 4 };

    if (literals->kind < ZSTD_WITH_TABLE) {
        write_bytes(to, literals->whole);
        return true;
    }
    if (literals->count > to->room || literals->count > LARGEST_BLOCK)
        return false;
    to->room -= literals->count;
    write_number(to->at, LONG_FORM | literals->count << COUNT_AT, LITERALS_HEAD);
    if (!zstd_unpack_literals(literals, codes, to->at + LITERALS_HEAD))
        return false;
    to->at += LITERALS_HEAD + literals->count;
    return true;
}

static bool
write_block(struct writer *to, struct zstd_codes *codes, struct bytes block, bool is_last)
{
    struct zstd_literals literals;
    uint8_t *head = to->at;

    to->at += BLOCK_HEAD;
    if (!zstd_take_literals(&literals, &block) || !sequences_begin_well(block) ||
        !write_literals(to, &literals, codes))
        return false;
    write_bytes(to, block);
    uint64_t size = (uint64_t)(to->at - head) - BLOCK_HEAD;
    to->has_to_stay |= size >= LARGEST_BLOCK;
    write_number(head, size << 3 | PACKED << 1 | is_last, BLOCK_HEAD);
    return true;
}

/* Blocks, and what is behind the last one. */
static bool
write_blocks(struct writer *to, struct bytes from)
{
    struct zstd_codes codes;
    uint64_t head = 0;

    codes.bits = 0;
    while (!(head & IS_LAST)) {
        struct bytes whole = from, block;

        if (!bytes_take_number(&from, BLOCK_HEAD, &head))
            return false;
        unsigned kind = head >> 1 & 3;
        if (!bytes_take(&from, kind == REPEATED ? 1 : head >> 3, &block))
            return false;
        if (kind != PACKED)
            write_bytes(to, (struct bytes){whole.at, whole.size - from.size});
        else if (!write_block(to, &codes, block, head & IS_LAST))
            return false;
    }
    write_bytes(to, from);
    return true;
}

/* nvcc's frames say how large their contents are, and have no window. Takes their beginning. */
static bool
take_head(struct bytes *frame, uint64_t size, unsigned *flags)
{
    static const uint8_t number_sizes[] = {1, 2, 4, 8};
    enum { LEAST_OF_TWO_BYTES = 256 };
    struct bytes head;
    uint64_t said;

    if (frame->size < HEAD || read_u32(frame->at) != magic)
        return false;
    *flags = frame->at[FLAGS_AT];
    unsigned form = *flags >> 6;
    if ((*flags & ~(unsigned)(SIZE_OF_8_BYTES | HAS_CHECKSUM)) != HAS_NO_WINDOW)
        return false;
    return bytes_take(frame, HEAD, &head) && bytes_take_number(frame, number_sizes[form], &said) &&
           said + (form == 1 ? LEAST_OF_TWO_BYTES : 0) == size;
}

static void
write_head(struct writer *to, unsigned flags, uint64_t size)
{
    write_u32(to->at, magic);
    to->at[FLAGS_AT] = (uint8_t)(SIZE_OF_8_BYTES | (flags & HAS_CHECKSUM));
    to->at[HEAD] = LARGE_WINDOW;
    write_u64(to->at + HEAD + 1, size);
    to->at += PLAIN_HEAD;
}

size_t
zstd_plain_room(struct bytes frame, uint64_t size)
{
    return frame.size + size + PLAIN_HEAD;
}

enum zstd_plain
zstd_make_plain(struct bytes frame, uint64_t size, uint8_t *to, struct bytes *out)
{
    struct writer writer = {.at = to, .room = size};
    unsigned flags;

    if (!take_head(&frame, size, &flags))
        return ZSTD_OTHER_FORM;
    write_head(&writer, flags, size);
    if (!write_blocks(&writer, frame))
        return ZSTD_DAMAGED;
    *out = (struct bytes){to, (size_t)(writer.at - to)};
    return writer.has_to_stay ? ZSTD_OTHER_FORM : ZSTD_PLAIN;
}
