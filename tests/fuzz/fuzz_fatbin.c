/* A fatbin: which entry is chosen for each target, and its contents unpacked. */
#include "fuzz_reader.h"

#include "input/fatbin.h"

#include <string.h>

static void
read_for(struct arena *arena, struct bytes file, const char *target)
{
    struct arch arch;
    struct fatbin_entry entry;
    struct bytes contents;

    arch_parse(target, &arch);
    struct fatbin_wish wish = {.target = &arch};
    if (fatbin_choose(file, &wish, &entry) != FATBIN_CHOSEN)
        return;
    use_bytes(entry.payload);
    use_bytes((struct bytes){(const uint8_t *)entry.options, strlen(entry.options)});
    struct unpacker unpacker = {.arena = arena};
    if (fatbin_unpack(&unpacker, &entry, &contents) == UNPACKED)
        use_bytes(contents);
    unpacker_release(&unpacker);
}

void
read_bytes(struct arena *arena, struct bytes bytes)
{
    static const char *const targets[] = {"sm_75", "sm_80", "sm_89", "sm_90a", "sm_100", "sm_121"};

    for (size_t i = 0; i < sizeof targets / sizeof *targets; i++)
        read_for(arena, bytes, targets[i]);
}
