/*
 * fuzz_reader.h: runs one reader of the library on bytes, outside of any link.
 */
#ifndef CULD_FUZZ_READER_H
#define CULD_FUZZ_READER_H

#include "base/arena.h"
#include "base/bytes.h"
#include "base/diag.h"

/* What the target does with the bytes. It may end in diag_fatal. */
void read_bytes(struct arena *arena, struct bytes bytes);

/* Uses a value that was read: a reader that hands out bad addresses is seen. */
void use_bytes(struct bytes bytes);

#endif
