/*
 * zstd_streams.h: do the bit streams of packed data end where they should?
 */
#ifndef CULD_INPUT_ZSTD_STREAMS_H
#define CULD_INPUT_ZSTD_STREAMS_H

#include "base/bytes.h"

/* Of a frame that could be unpacked. The library does not ask it of all streams, and makes something of those
   that were changed; what, depends on its release and on the processor. */
bool zstd_streams_end(struct bytes frame);

#endif
