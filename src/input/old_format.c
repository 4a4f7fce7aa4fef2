#include "input/old_format.h"

#include "base/diag.h"
#include "input/image_rewriter.h"

#define OLD_OTHER_ABI 0x80000000u

enum {
    OLD_ABI_VERSION = 7,
    OLD_64_BITS = 0x400,
    OLD_UNREADABLE = 0x4000, /* nvlink dies on it */
    OLD_SM = 0xff,
    OLD_VIRTUAL_SHIFT = 16,
};

/* ---- the header ---- */

bool
has_abi_version(const Elf64_Ehdr *header)
{
    if (is_old_header(header))
        return header->e_ident[EI_ABIVERSION] == OLD_ABI_VERSION &&
               !(header->e_flags & OLD_OTHER_ABI);
    return header->e_ident[EI_ABIVERSION] == CUBIN_ABI_VERSION;
}

bool
old_header_has_64_bits(const Elf64_Ehdr *header)
{
    return header->e_flags & OLD_64_BITS;
}

struct cuinfo
old_header_info(const Elf64_Ehdr *header)
{
    uint32_t toolkit = header->e_version;

    return (struct cuinfo){
        .virtual_arch = header->e_flags >> OLD_VIRTUAL_SHIFT & OLD_SM,
        .toolkit = (uint16_t)(toolkit < UINT16_MAX ? toolkit : UINT16_MAX),
    };
}

void
update_header(Elf64_Ehdr *header)
{
    if (!is_old_header(header))
        return;
    header->e_ident[EI_OSABI] = CUBIN_OSABI;
    header->e_ident[EI_ABIVERSION] = CUBIN_ABI_VERSION;
    header->e_flags = CUBIN_FLAG_SASS | (header->e_flags & OLD_SM) << 8;
    header->e_version = EV_CURRENT;
}

/* ---- the image ---- */

/* Before CUDA 12.4 no flag said that sh_info is a section. nvlink has none for parameters, then. */
static bool
lacks_flag(const Elf64_Shdr *section)
{
    return section->sh_info && !(section->sh_flags & SHF_EXECINSTR) &&
           section->sh_type != SHT_SYMTAB && section->sh_type != SHT_CUDA_CONSTANT0;
}

static void
update_sections(struct image_rewriter *image)
{
    for (uint32_t i = 1; i < image->old.section_count; i++) {
        Elf64_Shdr *section = &image->sections[i];

        if (lacks_flag(section))
            section->sh_flags |= SHF_INFO_LINK;
    }
}

/* Behind all others. */
static void
add_note(struct image_rewriter *image, struct cuinfo info)
{
    uint32_t note = image->count - 1;

    image->sections[note] = (Elf64_Shdr){
        .sh_type = SHT_NOTE,
        .sh_flags = SHF_CUDA_CUINFO,
        .sh_addralign = sizeof(uint32_t),
    };
    rewriter_set_name(image, note, CUINFO_SECTION);
    rewriter_set_contents(image, note, cuinfo_write(image->arena, info));
    image->header.e_flags |= (note < UINT8_MAX ? note : UINT8_MAX) << 24;
}

struct bytes
update_image(struct arena *arena, const char *name, struct bytes file)
{
    struct image_rewriter image;

    rewriter_open(&image, arena, name, file, 1);
    if (image.header.e_flags & OLD_UNREADABLE)
        diag_damaged(arena->diag, name, "the ELF header", offsetof(Elf64_Ehdr, e_flags),
                     "flags 0x%x", image.header.e_flags);
    update_header(&image.header);
    update_sections(&image);
    add_note(&image, old_header_info(&image.old.header));
    return rewriter_write(&image);
}
