/* Both decompressors. The first byte chooses one, three more are the size that is claimed. */
#include "fuzz_reader.h"

#include "input/decompress.h"

void
read_bytes(struct arena *arena, struct bytes bytes)
{
    struct bytes out;

    if (bytes.size < 4)
        return;
    enum compression compression = bytes.at[0] & 1 ? COMPRESSION_ZSTD : COMPRESSION_LZ4;
    uint64_t size = read_u32(bytes.at) >> 8;
    struct bytes payload = {bytes.at + 4, bytes.size - 4};
    struct unpacker unpacker = {.arena = arena};
    if (decompress(&unpacker, compression, payload, size, &out) == UNPACKED)
        use_bytes(out);
    unpacker_release(&unpacker);
}
