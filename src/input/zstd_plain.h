/*
 * zstd_plain.h: what zstd packed, without Huffman codes.
 *
 * libzstd unpacks what is left, which costs no more together than if it had done all.
 */
#ifndef CULD_INPUT_ZSTD_PLAIN_H
#define CULD_INPUT_ZSTD_PLAIN_H

#include "base/bytes.h"

enum zstd_plain {
    ZSTD_PLAIN,      /* the frame was written */
    ZSTD_OTHER_FORM, /* the library must see it as it is */
    ZSTD_DAMAGED,
};

/* Room for such a frame; `size` is that of its contents. */
size_t zstd_plain_room(struct bytes frame, uint64_t size);

enum zstd_plain zstd_make_plain(struct bytes frame, uint64_t size, uint8_t *to, struct bytes *out);

#endif
