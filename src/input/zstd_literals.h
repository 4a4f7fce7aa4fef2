/*
 * zstd_literals.h: the bytes of a packed block that are not repeated (RFC 8878, section 3.1.1.3.1).
 */
#ifndef CULD_INPUT_ZSTD_LITERALS_H
#define CULD_INPUT_ZSTD_LITERALS_H

#include "input/zstd_tables.h"

enum zstd_literals_kind { ZSTD_RAW, ZSTD_REPEATED, ZSTD_WITH_TABLE, ZSTD_WITHOUT_TABLE };

struct zstd_literals {
    enum zstd_literals_kind kind;
    unsigned streams;   /* of Huffman codes: one or four */
    uint64_t count;     /* of bytes */
    struct bytes whole; /* how they are packed, with what is said before */
    struct bytes packed;
};

/* Takes them from the beginning of a block, as they are. */
bool zstd_take_literals(struct zstd_literals *literals, struct bytes *block);

/* Those of Huffman codes, one by one. Each stream must end with its last byte: the library does not ask it of all, and
   makes something of those that were changed; what, depends on its release and on the processor. */
bool zstd_unpack_literals(const struct zstd_literals *literals, struct zstd_codes *codes,
                          uint8_t *to);

#endif
