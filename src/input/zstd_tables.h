/*
 * zstd_tables.h: what zstd says before its Huffman streams about how to read them (RFC 8878, section 4.2.1).
 */
#ifndef CULD_INPUT_ZSTD_TABLES_H
#define CULD_INPUT_ZSTD_TABLES_H

#include "input/zstd_bits.h"

enum { ZSTD_MOST_HUFFMAN_BITS = 11 };

/* What the next bits of a Huffman stream are: a byte, above the number of bits that it takes. */
struct zstd_codes {
    unsigned bits; /* that are looked at; 0: there is no table yet */
    uint16_t at[1 << ZSTD_MOST_HUFFMAN_BITS];
};

/* Takes them from the beginning of the bytes. */
bool zstd_read_codes(struct zstd_codes *codes, struct bytes *bytes);

#endif
