#include "input/image_rewriter.h"

#include "door/door.h"

enum { SECTION_ALIGN = 128 }; /* the largest that tools give */

static void
copy_contents(struct image_rewriter *rewriter)
{
    for (uint32_t i = 1; i < rewriter->old.section_count; i++)
        rewriter->contents[i] = elf_contents(&rewriter->old, i);
}

void
rewriter_open(struct image_rewriter *rewriter, struct arena *arena, const char *name,
              struct bytes image, uint32_t more)
{
    *rewriter = (struct image_rewriter){.arena = arena};
    elf_open_sections(&rewriter->old, name, image, arena);
    door_check_extents(&rewriter->old, arena);
    rewriter->header = rewriter->old.header;
    rewriter->count = rewriter->old.section_count + more;
    rewriter->sections = arena_array(arena, rewriter->count, sizeof *rewriter->sections);
    rewriter->contents = arena_array(arena, rewriter->count, sizeof *rewriter->contents);
    memcpy(rewriter->sections, rewriter->old.sections,
           rewriter->old.section_count * sizeof(Elf64_Shdr));
    copy_contents(rewriter);
}

void
rewriter_set_contents(struct image_rewriter *rewriter, uint32_t section, struct bytes contents)
{
    rewriter->contents[section] = contents;
    rewriter->sections[section].sh_size = contents.size;
}

void
rewriter_set_name(struct image_rewriter *rewriter, uint32_t section, const char *name)
{
    struct bytes old = rewriter->old.section_names;
    size_t size = strlen(name) + 1;
    uint8_t *names = arena_alloc(rewriter->arena, old.size + size);
    uint32_t table = rewriter->header.e_shstrndx;

    memcpy(names, old.at, old.size);
    memcpy(names + old.size, name, size);
    rewriter_set_contents(rewriter, table == SHN_XINDEX ? rewriter->sections[0].sh_link : table,
                          (struct bytes){names, old.size + size});
    rewriter->sections[section].sh_name = (uint32_t)old.size;
}

/* One section behind the other, and then their headers. The size of it all. */
static uint64_t
place_sections(struct image_rewriter *rewriter)
{
    uint64_t end = sizeof(Elf64_Ehdr);

    for (uint32_t i = 1; i < rewriter->count; i++) {
        uint64_t align = rewriter->sections[i].sh_addralign;
        /* the door looks at those that are none */
        rewriter->sections[i].sh_offset =
            align && align <= SECTION_ALIGN ? align_up(end, align) : end;
        end = rewriter->sections[i].sh_offset + rewriter->contents[i].size;
    }
    rewriter->header.e_shoff = align_up(end, sizeof(uint64_t));
    rewriter->header.e_shnum = rewriter->count < SHN_LORESERVE ? (uint16_t)rewriter->count : 0;
    if (!rewriter->header.e_shnum)
        rewriter->sections[0].sh_size = rewriter->count;
    return rewriter->header.e_shoff + (uint64_t)rewriter->count * sizeof(Elf64_Shdr);
}

struct bytes
rewriter_write(struct image_rewriter *rewriter)
{
    uint64_t size = place_sections(rewriter);
    uint8_t *image = arena_zero(rewriter->arena, size);

    memcpy(image, &rewriter->header, sizeof rewriter->header);
    for (uint32_t i = 1; i < rewriter->count; i++)
        if (rewriter->contents[i].size)
            memcpy(image + rewriter->sections[i].sh_offset, rewriter->contents[i].at,
                   rewriter->contents[i].size);
    memcpy(image + rewriter->header.e_shoff, rewriter->sections,
           rewriter->count * sizeof(Elf64_Shdr));
    return (struct bytes){image, size};
}
