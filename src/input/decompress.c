#include "input/decompress.h"

#include "base/diag.h"
#include "input/zstd_plain.h"

#include <limits.h>
#include <lz4.h>
#include <stdlib.h>
#include <zstd.h>

/* LZ4 makes no more out of a byte: a larger claim is a lie, and not worth the memory. zstd could
   make 2^17, but beyond a moderate size no device code is that empty: it is a bomb. */
enum { LARGEST_LZ4_RATIO = 255, LARGEST_ZSTD_RATIO = 1 << 12, MODERATE_SIZE = 1 << 26 };

static bool
is_plausible(enum compression compression, struct bytes payload, uint64_t size)
{
    uint64_t ratio = compression == COMPRESSION_LZ4 ? LARGEST_LZ4_RATIO : LARGEST_ZSTD_RATIO;

    return payload.size > 0 && payload.size <= INT_MAX && size > 0 && size <= INT_MAX &&
           (size / ratio <= payload.size ||
            (compression == COMPRESSION_ZSTD && size <= MODERATE_SIZE));
}

/* A length that does not fit in its four bits goes on in bytes behind, up to one that is not 255. */
static size_t
lz4_length(struct bytes payload, size_t *at, unsigned four_bits)
{
    size_t length = four_bits;
    uint8_t more = four_bits == 15 ? UINT8_MAX : 0;

    while (more == UINT8_MAX && *at < payload.size) {
        more = payload.at[(*at)++];
        length += more;
    }
    return length;
}

/* Of what could be unpacked: is there a repetition of something 0 bytes before? None is, but the library makes
   something of it. */
static bool
repeats_nothing(struct bytes payload)
{
    for (size_t at = 0; at < payload.size;) {
        uint8_t lengths = payload.at[at++];
        size_t literals = lz4_length(payload, &at, lengths >> 4);

        at += literals;
        if (!bytes_hold(payload, at, sizeof(uint16_t)))
            break;
        if (!read_u16(payload.at + at))
            return true;
        at += sizeof(uint16_t);
        lz4_length(payload, &at, lengths & 15);
    }
    return false;
}

static enum unpacking
unpack_lz4(struct bytes payload, uint8_t *to, uint64_t size)
{
    int got =
        LZ4_decompress_safe((const char *)payload.at, (char *)to, (int)payload.size, (int)size);
    if (got != (int)size)
        return UNPACKED_SIZE_DIFFERS;
    return repeats_nothing(payload) ? UNPACKING_FAILED : UNPACKED;
}

/* What one payload left serves the next. */
static void
make_room(struct unpacker *unpacker, size_t size)
{
    if (!unpacker->zstd)
        unpacker->zstd = ZSTD_createDCtx();
    if (unpacker->room_size < size) {
        free(unpacker->room);
        unpacker->room = malloc(size);
        unpacker->room_size = unpacker->room ? size : 0;
    }
    if (!unpacker->zstd || !unpacker->room)
        diag_fatal(unpacker->arena->diag, "Out of memory");
}

static enum unpacking
unpack_zstd(struct unpacker *unpacker, struct bytes payload, uint8_t *to, uint64_t size)
{
    struct bytes plain;

    make_room(unpacker, zstd_plain_room(payload, size));
    enum zstd_plain form = zstd_make_plain(payload, size, unpacker->room, &plain);
    if (form == ZSTD_DAMAGED)
        return UNPACKING_FAILED;
    if (form == ZSTD_PLAIN)
        payload = plain;
    size_t got = ZSTD_decompressDCtx(unpacker->zstd, to, size, payload.at, payload.size);
    return ZSTD_isError(got) ? UNPACKING_FAILED : got == size ? UNPACKED : UNPACKED_SIZE_DIFFERS;
}

enum unpacking
decompress(struct unpacker *unpacker, enum compression compression, struct bytes payload,
           uint64_t size, struct bytes *out)
{
    if (compression == COMPRESSION_ZSTD && size == 0)
        return UNPACKING_FAILED;
    if (!is_plausible(compression, payload, size))
        return UNPACKED_SIZE_DIFFERS;
    uint8_t *to = arena_alloc(unpacker->arena, size);
    *out = (struct bytes){to, size};
    return compression == COMPRESSION_LZ4 ? unpack_lz4(payload, to, size)
                                          : unpack_zstd(unpacker, payload, to, size);
}

void
unpacker_release(struct unpacker *unpacker)
{
    ZSTD_freeDCtx(unpacker->zstd);
    free(unpacker->room);
    unpacker->zstd = NULL;
    unpacker->room = NULL;
    unpacker->room_size = 0;
}
