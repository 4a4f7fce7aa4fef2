/*
 * zstd_tables.h: what zstd says before its Huffman streams about how to read them (RFC 8878, section 4.2.1).
 */
#ifndef CULD_INPUT_ZSTD_TABLES_H
#define CULD_INPUT_ZSTD_TABLES_H

#include "input/zstd_bits.h"

enum { ZSTD_MOST_HUFFMAN_BITS = 11 };

/* How many bits of a Huffman stream a byte has, by those that come next. */
struct zstd_lengths {
    unsigned bits; /* that are looked at */
    uint8_t at[1 << ZSTD_MOST_HUFFMAN_BITS];
};

/* Takes them from the beginning of the bytes. */
bool zstd_read_lengths(struct zstd_lengths *lengths, struct bytes *bytes);

#endif
