/* A capsule of mercury. The first two bytes are the number of instructions of its text. */
#include "fuzz_reader.h"

#include "mercury/capsule.h"

void
read_bytes(struct arena *arena, struct bytes bytes)
{
    struct capsule_entry entry;
    struct capsule_place place;

    (void)arena;
    if (bytes.size < 2)
        return;
    uint64_t text_size = (uint64_t)read_u16(bytes.at) * SASS_INSTRUCTION;
    struct bytes capsule = {bytes.at + 2, bytes.size - 2};
    if (capsule_check(capsule, (struct bytes){NULL, text_size}, TEXT_OF_ANY, &place, NULL))
        return;
    struct capsule_reader reader = capsule_open(capsule);
    while (capsule_next(&reader, &entry))
        use_bytes((struct bytes){capsule.at + entry.record, entry.size});
}
