#include "input/old_mercury.h"

#include "base/diag.h"
#include "cubin/compat.h"
#include "cubin/notes.h"
#include "cubin/nvinfo.h"
#include "input/image_rewriter.h"
#include "mercury/capsule.h"
#include "mercury/old_capsule.h"

enum {
    OLD_SPECIFIC = 0x08, /* of e_flags: the target has the suffix 'a' */
    OLD_SM = 101,        /* has another number since, */
    OLD_SM_TODAY = 110,
    OLD_TOOLKIT = 128,
    SM_SHIFT = 8,
    FIRST_MERCURY = 0x100, /* the version of mercury that no record says */
};

/* ---- the header ---- */

bool
is_old_mercury(const struct elf_view *frame)
{
    if (!(frame->header.e_flags & CUBIN_FLAG_MERCURY))
        return false;
    for (uint32_t i = 1; i < frame->section_count; i++)
        if (frame->sections[i].sh_flags & SHF_CUDA_CUINFO)
            return cuinfo_is_of_cuda_12(elf_contents(frame, i));
    return false;
}

void
update_mercury_header(Elf64_Ehdr *header)
{
    header->e_flags &= ~(uint32_t)OLD_SPECIFIC;
    if (flags_sm(header->e_flags) == OLD_SM)
        header->e_flags += (OLD_SM_TODAY - OLD_SM) << SM_SHIFT;
}

/* ---- records ---- */

static void
insert_record(struct image_rewriter *image, uint32_t section, size_t at,
              const uint8_t record[INFO_HEADER_SIZE])
{
    struct bytes old = image->contents[section];
    uint8_t *all = arena_alloc(image->arena, old.size + INFO_HEADER_SIZE);

    if (at)
        memcpy(all, old.at, at);
    memcpy(all + at, record, INFO_HEADER_SIZE);
    if (old.size > at)
        memcpy(all + at + INFO_HEADER_SIZE, old.at + at, old.size - at);
    rewriter_set_contents(image, section, (struct bytes){all, old.size + INFO_HEADER_SIZE});
}

/* Every function has a record of its version, the last one of those that both views have. */
static void
add_version(struct image_rewriter *image, uint32_t section)
{
    static const uint8_t version[INFO_HEADER_SIZE] = {EIFMT_HVAL, EIATTR_MERCURY_ISA_VERSION,
                                                      FIRST_MERCURY & 0xff, FIRST_MERCURY >> 8};
    struct bytes records = image->contents[section];
    struct info_record record;
    size_t offset = 0, end = 0;

    while (info_next(records, &offset, &record)) {
        if (record.attribute == EIATTR_MERCURY_ISA_VERSION)
            return;
        if (!info_is_of_sass_alone(record.attribute))
            end = offset;
    }
    insert_record(image, section, end, version);
}

static bool
describes_function(const Elf64_Shdr *section)
{
    return (section->sh_type == SHT_CUDA_INFO || section->sh_type == SHT_MERCURY_INFO) &&
           section->sh_flags & SHF_INFO_LINK;
}

/* What a bit of e_flags said. */
static void
add_suffix(struct image_rewriter *image, uint32_t compat)
{
    static const uint8_t specific[INFO_HEADER_SIZE] = {EIFMT_BVAL, COMPAT_SPECIFIC, 1};

    if (image->old.header.e_flags & OLD_SPECIFIC)
        insert_record(image, compat, 0, specific);
}

/* ---- the image ---- */

static void
update_note(struct image_rewriter *image, uint32_t section)
{
    struct cuinfo info = {
        .virtual_arch = cuinfo_old_virtual_arch(image->contents[section]),
        .toolkit = OLD_TOOLKIT,
    };

    rewriter_set_name(image, section, CUINFO_SECTION);
    rewriter_set_contents(image, section, cuinfo_write(image->arena, info));
}

/* 12.8 alone has others than today. */
static void
renew_capsule(struct image_rewriter *image, uint32_t section)
{
    struct bytes capsule = image->contents[section];
    uint32_t text = is_old_capsule(capsule) ? capsule_text(capsule) : image->count;

    if (text >= image->count)
        return;
    if (!update_capsule(image->arena, image->contents[text], &capsule))
        diag_fatal(image->arena->diag,
                   "Input file '%s' was compiled with CUDA 12.8, and mercury of its section %s is "
                   "not known; compile it again with a newer CUDA",
                   image->old.file_name, elf_section_name(&image->old, text));
    rewriter_set_contents(image, section, capsule);
}

struct bytes
update_mercury(struct arena *arena, const char *name, struct bytes file)
{
    struct image_rewriter image;
    bool has_note = false; /* a second one stays as it is, and is refused */

    rewriter_open(&image, arena, name, file, 0);
    update_mercury_header(&image.header);
    for (uint32_t i = 1; i < image.count; i++) {
        const Elf64_Shdr *section = &image.sections[i];

        if (section->sh_flags & SHF_CUDA_CUINFO && !has_note) {
            update_note(&image, i);
            has_note = true;
        } else if (section->sh_type == SHT_CUDA_COMPAT)
            add_suffix(&image, i);
        else if (section->sh_type == SHT_CUDA_CAPSULE)
            renew_capsule(&image, i);
        else if (describes_function(section))
            add_version(&image, i);
    }
    return rewriter_write(&image);
}
