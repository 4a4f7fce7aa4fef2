/*
 * decompress.h: the two compressions of fatbin payloads, by the libraries that define them.
 */
#ifndef CULD_INPUT_DECOMPRESS_H
#define CULD_INPUT_DECOMPRESS_H

#include "base/arena.h"
#include "base/bytes.h"

enum compression { COMPRESSION_NONE, COMPRESSION_LZ4, COMPRESSION_ZSTD };

enum unpacking { UNPACKED, UNPACKING_FAILED, UNPACKED_SIZE_DIFFERS };

/* What the payloads of one link share. All zeroes but for the arena to begin with. */
struct unpacker {
    struct arena *arena;
    struct ZSTD_DCtx_s *zstd; /* made when it is needed: it is larger than many a payload */
    uint8_t *room;            /* for a payload of zstd without its Huffman codes */
    size_t room_size;
};

/* The payload must unpack to exactly `size` bytes, which live in the arena. */
enum unpacking decompress(struct unpacker *unpacker, enum compression compression,
                          struct bytes payload, uint64_t size, struct bytes *out);

void unpacker_release(struct unpacker *unpacker);

#endif
