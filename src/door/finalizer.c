#include "base/murmur3.h"
#include "cubin/nvinfo.h"
#include "door/check.h"
#include "door/views.h"

/* What ptxas 13.0 has written for the finalizer: by the level of optimisation, with and without line
   numbers, and for debuggers. No other option changes it. */
static const uint32_t known[] = {
    0xdf1c6dea, 0xff5f9a54, 0x69abf1ca, 0xf1f71e39, 0x72fbf810, /* -O0 to -O4 */
    0x2f0c2287, 0x83da786a, 0x665a4067, 0x73ab5a2d, 0xb3fb4604, /* ... with -lineinfo */
    0x6e0b51aa, 0x8cc4da98,                                     /* -G, and with -lineinfo */
};

static bool
is_known(struct bytes options)
{
    uint32_t hash = murmur3_x86_32(options.at, options.size, 0);

    for (size_t i = 0; i < COUNT_OF(known); i++)
        if (known[i] == hash)
            return true;
    return false;
}

/* All functions of a file were compiled with the same options: `*before` are those of the last one. */
static void
check_section(const struct door *door, uint32_t section, struct bytes *before)
{
    struct bytes records = elf_contents(door->view, section);
    struct info_record record;
    size_t offset = 0;

    while (info_next(records, &offset, &record)) {
        if (record.attribute != EIATTR_MERCURY_FINALIZER_OPTIONS)
            continue;
        if (!(before->size && bytes_equal(*before, record.payload)) && !is_known(record.payload))
            REFUSE_CONTENTS(door, section, record.whole.at - records.at,
                            "options that the finalizer does not have");
        *before = record.payload;
        return;
    }
}

void
door_check_finalizer(const struct elf_view *view, struct arena *scratch)
{
    struct door door = {.view = view, .arena = scratch};
    struct bytes before = {0};

    for (uint32_t i = 1; i < view->section_count; i++)
        if (view->sections[i].sh_type == SHT_CUDA_INFO && view->twins[i])
            check_section(&door, i, &before);
}
