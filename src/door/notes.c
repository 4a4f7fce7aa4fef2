#include "door/check.h"

#include "arch/arch.h"
#include "cubin/compat.h"
#include "cubin/notes.h"
#include "cubin/nvinfo.h"

/* ---- .nv.compat ---- */

/* The last version of mercury that this release can link. */
enum { LAST_MERCURY = 0x0101 };

static bool
is_too_new(const struct door *door, const struct info_record *record)
{
    return door->view->header.e_flags & CUBIN_FLAG_MERCURY && record->attribute == COMPAT_VERSION &&
           record->value > LAST_MERCURY;
}

/* The code of the file runs on its own target, and on no other than members of the family. */
static bool
is_mask_of(const struct door *door, uint64_t mask)
{
    unsigned sm = flags_sm(door->view->header.e_flags);
    uint64_t family = arch_family_mask(sm);

    /* nvlink has its own word on those that have no family. */
    return !mask || !family || (!(mask & ~family) && mask & arch_mask(sm));
}

static void
check_mask(const struct door *door, uint32_t section, size_t at, const struct info_record *record)
{
    bool is_mask = record->attribute == COMPAT_MASK && record->payload.size == sizeof(uint64_t);

    if (is_mask && !is_mask_of(door, read_u64(record->payload.at)))
        REFUSE_CONTENTS(door, section, at, "code for sm_%u that runs on targets 0x%llx",
                        flags_sm(door->view->header.e_flags),
                        (unsigned long long)read_u64(record->payload.at));
}

void
check_compat(const struct door *door, uint32_t section)
{
    struct bytes contents = elf_contents(door->view, section);
    struct info_record record;
    size_t offset = 0, at = 0;

    for (; info_next(contents, &offset, &record); at = offset) {
        if (is_too_new(door, &record))
            REFUSE_CONTENTS(door, section, at, "version 0x%x of mercury is not known",
                            record.value);
        if (!compat_record_fits(&record))
            REFUSE_CONTENTS(door, section, at, "record 0x%x has format %u and value 0x%x",
                            record.attribute, record.format, record.value);
        check_mask(door, section, at, &record);
    }
    if (offset != contents.size)
        REFUSE_CONTENTS(door, section, offset, "the record does not fit");
}

/* ---- .note.nv.cuinfo and .note.nv.tkinfo ---- */

enum { OLDEST_TOOLKIT = 100 };

/* The architectures that PTX was ever written for, by the toolkits that are not too old. */
static bool
is_virtual_arch(unsigned arch)
{
    static const uint8_t known[] = {20, 21, 30, 32, 35, 37, 50, 52,  53,  60,  61,  62,  70, 72,
                                    75, 80, 86, 87, 88, 89, 90, 100, 101, 103, 110, 120, 121};

    for (size_t i = 0; i < sizeof known; i++)
        if (known[i] == arch)
            return true;
    return false;
}

/* Code is of some toolkit, which made it of PTX for an architecture that is not newer. */
static bool
is_cuinfo(const struct door *door, struct bytes contents)
{
    struct cuinfo cuinfo;

    return cuinfo_read(contents, &cuinfo) && is_virtual_arch(cuinfo.virtual_arch) &&
           cuinfo.virtual_arch <= flags_sm(door->view->header.e_flags) &&
           cuinfo.toolkit >= OLDEST_TOOLKIT;
}

/* "Cuda compilation tools, release 13.0, V13.0.88": the release stands there twice. */
static bool
is_release(const char *version)
{
    static const char before[] = "Cuda compilation tools, release ", between[] = ", V";

    if (!text_begins(version, before))
        return false;
    const char *release = version + sizeof before - 1;
    size_t length = strspn(release, ".0123456789");
    const char *again = release + length + sizeof between - 1;
    return length && text_begins(release + length, between) && !strncmp(release, again, length) &&
           again[length] == '.';
}

static bool
follows(const char *string, const char *before)
{
    return string == before + strlen(before) + 1;
}

/* Every string begins where the one before it ends. Other tools than NVIDIA's have versions of their own. */
static bool
is_tkinfo(struct bytes contents)
{
    struct tkinfo tkinfo;

    if (!tkinfo_read(contents, &tkinfo) || !follows(tkinfo.tool, tkinfo.object) ||
        !follows(tkinfo.version, tkinfo.tool) || !follows(tkinfo.build, tkinfo.version) ||
        !follows(tkinfo.options, tkinfo.build))
        return false;
    bool is_nvidias = !strcmp(tkinfo.tool, "ptxas") || !strcmp(tkinfo.tool, "nvlink");
    return !is_nvidias || is_release(tkinfo.version);
}

void
check_note(const struct door *door, uint32_t section)
{
    struct bytes contents = elf_contents(door->view, section);
    uint64_t flags = door->view->sections[section].sh_flags;
    bool is_sound = flags & SHF_CUDA_CUINFO   ? is_cuinfo(door, contents)
                    : flags & SHF_CUDA_TKINFO ? is_tkinfo(contents)
                                              : true;

    if (!is_sound)
        REFUSE_CONTENTS(door, section, 0, "the note is damaged");
}
