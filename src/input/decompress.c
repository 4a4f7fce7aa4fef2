#include "input/decompress.h"

#include <limits.h>
#include <lz4.h>
#include <zstd.h>

/* No compressor makes a byte out of more: a larger claim is a lie, and not worth the memory. */
enum { LARGEST_LZ4_RATIO = 255, LARGEST_ZSTD_RATIO = 1 << 17 };

static bool
is_plausible(enum compression compression, struct bytes payload, uint64_t size)
{
    uint64_t ratio = compression == COMPRESSION_LZ4 ? LARGEST_LZ4_RATIO : LARGEST_ZSTD_RATIO;

    return payload.size > 0 && payload.size <= INT_MAX && size > 0 && size <= INT_MAX &&
           size / ratio <= payload.size;
}

enum unpacking
decompress(struct arena *arena, enum compression compression, struct bytes payload, uint64_t size,
           struct bytes *out)
{
    if (compression == COMPRESSION_ZSTD && size == 0)
        return UNPACKING_FAILED;
    if (!is_plausible(compression, payload, size))
        return UNPACKED_SIZE_DIFFERS;
    uint8_t *to = arena_alloc(arena, size);
    *out = (struct bytes){to, size};
    if (compression == COMPRESSION_LZ4) {
        int got =
            LZ4_decompress_safe((const char *)payload.at, (char *)to, (int)payload.size, (int)size);
        return got == (int)size ? UNPACKED : UNPACKED_SIZE_DIFFERS;
    }
    size_t got = ZSTD_decompress(to, size, payload.at, payload.size);
    return ZSTD_isError(got) ? UNPACKING_FAILED : got == size ? UNPACKED : UNPACKED_SIZE_DIFFERS;
}
