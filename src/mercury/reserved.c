#include "mercury/mercury.h"

/*
 * The twin of reserved shared memory has bytes in the file, although there is nothing to say. nvlink
 * makes a file of mercury alone first, in which such memory has no bytes, and copies what stands at
 * its place there: the first section headers, or what is before them. So the layout of that file
 * is reckoned here.
 */

enum { MASK_RECORD = 12 }; /* of .nv.compat, not yet there */

/* Mercury code is not stored in a capsule there, but as it is. */
static uint64_t
expanded_size(const struct elfw *elfw, uint32_t function)
{
    return elfw_function_symbol(elfw, function)->st_size;
}

static uint64_t
mercury_size(const struct elfw *elfw, uint32_t index)
{
    const struct section *section = elfw_section(elfw, index);

    if (index == elfw->shstrtab)
        return elfw->link_names;
    if (index == elfw->strtab)
        return elfw->link_strings;
    if (index == elfw->compat)
        return section->size - MASK_RECORD;
    if (section->flags & SHF_EXECINSTR && section->owner)
        return expanded_size(elfw, section->owner);
    return section->twin ? elfw_section(elfw, section->twin)->size : section->size;
}

/* How far behind the memory's place the section headers begin. */
static uint64_t
headers_behind(const struct elfw *elfw, uint32_t reserved)
{
    uint64_t offset = sizeof(Elf64_Ehdr), place = 0;

    for (uint32_t n = 1; n < elfw->output_section_count; n++) {
        uint32_t index = elfw->section_order[n];
        const struct section *section = elfw_section(elfw, index);

        if (section->is_mercury || section->is_parameter_bank)
            continue;
        bool is_code = section->flags & SHF_EXECINSTR;
        offset =
            align_up(offset, is_code ? elfw_section(elfw, section->twin)->align : section->align);
        if (index == reserved)
            place = offset;
        if (!has_no_contents(section->type))
            offset += mercury_size(elfw, index);
    }
    return align_up(offset, 8) - place;
}

void
mercury_fill_reserved(struct elfw *elfw)
{
    const Elf64_Shdr headers[] = {
        {0},
        {.sh_name = 1,
         .sh_type = SHT_STRTAB,
         .sh_offset = sizeof(Elf64_Ehdr),
         .sh_size = elfw->link_names,
         .sh_addralign = 1},
        {.sh_name = sizeof "\0.shstrtab",
         .sh_type = SHT_STRTAB,
         .sh_offset = sizeof(Elf64_Ehdr) + elfw->link_names,
         .sh_size = elfw->link_strings,
         .sh_addralign = 1},
    };

    uint32_t reserved = elfw_find_section(elfw, RESERVED_SHARED);
    uint32_t twin = elfw_section(elfw, reserved)->twin;

    if (!reserved || !twin)
        return;
    struct section *section = elfw_section(elfw, twin);
    uint64_t behind = headers_behind(elfw, reserved);
    section->contents = arena_zero(elfw->arena, section->size + 1);
    if (behind < section->size)
        memcpy(section->contents + behind, headers,
               section->size - behind < sizeof headers ? section->size - behind : sizeof headers);
}
