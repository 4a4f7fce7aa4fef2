#include "door/check.h"

#include "cubin/compat.h"
#include "cubin/notes.h"
#include "cubin/nvinfo.h"

/* ---- .nv.compat ---- */

enum { COMPAT_MASK_SIZE = 8 };

/* The format of each attribute and the largest value; 0: there is no such attribute. */
static const struct {
    uint8_t format;
    uint16_t largest;
} compat_forms[COMPAT_ATTRIBUTES] = {
    [2] = {EIFMT_BVAL, 3},
    [3] = {EIFMT_BVAL, UINT8_MAX},
    [5] = {EIFMT_BVAL, 5},
    [6] = {EIFMT_BVAL, 2},
    [7] = {EIFMT_HVAL, UINT16_MAX},
    [9] = {EIFMT_BVAL, 1},
    [11] = {EIFMT_SVAL, COMPAT_MASK_SIZE},
};

void
check_compat(const struct door *door, uint32_t section)
{
    struct bytes contents = elf_contents(door->view, section);
    struct info_record record;
    size_t offset = 0, at = 0;
    uint32_t seen = 0;

    for (; info_next(contents, &offset, &record); at = offset) {
        uint8_t attribute = record.attribute;
        bool is_known = attribute < COMPAT_ATTRIBUTES && compat_forms[attribute].format;

        if (!is_known || record.format != compat_forms[attribute].format ||
            record.value > compat_forms[attribute].largest ||
            (seen >> attribute & 1 && record.format != EIFMT_SVAL))
            REFUSE_CONTENTS(door, section, at, "record 0x%x has format %u and value 0x%x",
                            attribute, record.format, record.value);
        seen |= 1u << attribute;
    }
    if (offset != contents.size || (seen & 0x2ec) != 0x2ec)
        REFUSE_CONTENTS(door, section, offset, "records are missing");
}

/* ---- .note.nv.cuinfo and .note.nv.tkinfo ---- */

void
check_note(const struct door *door, uint32_t section)
{
    struct bytes contents = elf_contents(door->view, section);
    uint64_t flags = door->view->sections[section].sh_flags;
    struct cuinfo cuinfo;
    struct tkinfo tkinfo;
    bool is_sound = flags & SHF_CUDA_CUINFO   ? cuinfo_read(contents, &cuinfo)
                    : flags & SHF_CUDA_TKINFO ? tkinfo_read(door->arena, contents, &tkinfo)
                                              : true;

    if (!is_sound)
        REFUSE_CONTENTS(door, section, 0, "the note is damaged");
}
