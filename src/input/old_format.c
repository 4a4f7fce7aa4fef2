#include "input/old_format.h"

#include "base/diag.h"
#include "cubin/elf_view.h"

enum {
    OLD_ABI_VERSION = 7,
    OLD_64_BITS = 0x400,
    OLD_SM = 0xff,
    OLD_VIRTUAL_SHIFT = 16,
    SECTION_ALIGN = 128, /* the largest that tools give */
};

/* ---- the header ---- */

bool
has_abi_version(const Elf64_Ehdr *header)
{
    return header->e_ident[EI_ABIVERSION] ==
           (is_old_header(header) ? OLD_ABI_VERSION : CUBIN_ABI_VERSION);
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

struct updater {
    struct arena *arena;
    struct elf_view old;
    Elf64_Ehdr header;      /* of the new image, */
    Elf64_Shdr *sections;   /* which has a section more, */
    struct bytes *contents; /* and what they hold */
    uint32_t count;
};

static void
set_contents(struct updater *updater, uint32_t section, struct bytes contents)
{
    updater->contents[section] = contents;
    updater->sections[section].sh_size = contents.size;
}

static void
copy_sections(struct updater *updater)
{
    const struct elf_view *old = &updater->old;
    uint64_t left = old->file.size;

    updater->count = old->section_count + 1;
    updater->sections = arena_array(updater->arena, updater->count, sizeof *updater->sections);
    updater->contents = arena_array(updater->arena, updater->count, sizeof *updater->contents);
    memcpy(updater->sections, old->sections, old->section_count * sizeof(Elf64_Shdr));
    for (uint32_t i = 1; i < old->section_count; i++) {
        updater->contents[i] = elf_contents(old, i);
        if (updater->contents[i].size > left)
            diag_damaged(updater->arena->diag, old->file_name, "the section header table",
                         old->header.e_shoff, "sections lie over each other");
        left -= updater->contents[i].size;
    }
}

/* Before CUDA 12.4 no flag said that sh_info is a section. nvlink has none for parameters, then. */
static bool
lacks_flag(const Elf64_Shdr *section)
{
    return section->sh_info && !(section->sh_flags & SHF_EXECINSTR) &&
           section->sh_type != SHT_SYMTAB && section->sh_type != SHT_CUDA_CONSTANT0;
}

static void
update_sections(struct updater *updater)
{
    for (uint32_t i = 1; i < updater->old.section_count; i++) {
        Elf64_Shdr *section = &updater->sections[i];

        if (lacks_flag(section))
            section->sh_flags |= SHF_INFO_LINK;
    }
}

/* Behind all others. */
static void
add_note(struct updater *updater, struct cuinfo info)
{
    static const char name[] = ".note.nv.cuinfo";
    struct bytes old = updater->old.section_names;
    uint8_t *names = arena_alloc(updater->arena, old.size + sizeof name);
    uint32_t table = updater->header.e_shstrndx;

    memcpy(names, old.at, old.size);
    memcpy(names + old.size, name, sizeof name);
    set_contents(updater, table == SHN_XINDEX ? updater->sections[0].sh_link : table,
                 (struct bytes){names, old.size + sizeof name});
    updater->sections[updater->count - 1] = (Elf64_Shdr){
        .sh_name = (uint32_t)old.size,
        .sh_type = SHT_NOTE,
        .sh_flags = SHF_CUDA_CUINFO,
        .sh_addralign = sizeof(uint32_t),
    };
    set_contents(updater, updater->count - 1, cuinfo_write(updater->arena, info));
    updater->header.e_flags |= (updater->count - 1 < UINT8_MAX ? updater->count - 1 : UINT8_MAX)
                               << 24;
}

/* One section behind the other, and then their headers. The size of it all. */
static uint64_t
place_sections(struct updater *updater)
{
    uint64_t end = sizeof(Elf64_Ehdr);

    for (uint32_t i = 1; i < updater->count; i++) {
        uint64_t align = updater->sections[i].sh_addralign;
        /* the door looks at those that are none */
        updater->sections[i].sh_offset =
            align && align <= SECTION_ALIGN ? align_up(end, align) : end;
        end = updater->sections[i].sh_offset + updater->contents[i].size;
    }
    updater->header.e_shoff = align_up(end, sizeof(uint64_t));
    updater->header.e_shnum = updater->count < SHN_LORESERVE ? (uint16_t)updater->count : 0;
    updater->sections[0].sh_size = updater->header.e_shnum ? 0 : updater->count;
    return updater->header.e_shoff + (uint64_t)updater->count * sizeof(Elf64_Shdr);
}

static struct bytes
write_image(struct updater *updater)
{
    uint64_t size = place_sections(updater);
    uint8_t *image = arena_zero(updater->arena, size);

    memcpy(image, &updater->header, sizeof updater->header);
    for (uint32_t i = 1; i < updater->count; i++)
        if (updater->contents[i].size)
            memcpy(image + updater->sections[i].sh_offset, updater->contents[i].at,
                   updater->contents[i].size);
    memcpy(image + updater->header.e_shoff, updater->sections, updater->count * sizeof(Elf64_Shdr));
    return (struct bytes){image, size};
}

struct bytes
update_image(struct arena *arena, const char *name, struct bytes image)
{
    struct updater updater = {.arena = arena};

    elf_open_sections(&updater.old, name, image, arena);
    if (!is_old_header(&updater.old.header))
        return image;
    updater.header = updater.old.header;
    update_header(&updater.header);
    copy_sections(&updater);
    update_sections(&updater);
    add_note(&updater, old_header_info(&updater.old.header));
    return write_image(&updater);
}
