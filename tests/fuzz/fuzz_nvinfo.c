/* Records of .nv.info and .nv.compat, and the two notes. */
#include "fuzz_reader.h"

#include "cubin/compat.h"
#include "cubin/notes.h"
#include "cubin/nvinfo.h"

static void
read_info(struct bytes section)
{
    struct info_record record;
    size_t offset = 0;

    while (info_next(section, &offset, &record)) {
        use_bytes(record.whole);
        use_bytes(record.payload);
        if (info_names_symbol(record.attribute) && info_has_symbol(&record))
            use_bytes((struct bytes){record.payload.at, sizeof(uint32_t)});
    }
}

static void
read_compat(struct bytes section)
{
    struct compat_values values = {0};
    uint8_t out[COMPAT_MAX_SIZE];

    compat_merge(&values, section);
    use_bytes((struct bytes){out, compat_write(&values, compat_is_specific(&values), out)});
    compat_mask(section);
}

static void
read_notes(struct arena *arena, struct bytes section)
{
    struct cuinfo cuinfo;
    struct tkinfo tkinfo;

    if (cuinfo_read(section, &cuinfo))
        use_bytes(cuinfo_write(arena, cuinfo));
    if (tkinfo_read(section, &tkinfo))
        use_bytes(tkinfo_write(arena, &tkinfo));
}

void
read_bytes(struct arena *arena, struct bytes bytes)
{
    read_info(bytes);
    read_compat(bytes);
    read_notes(arena, bytes);
}
