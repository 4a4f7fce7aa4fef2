#include "input/host_object.h"

static const struct {
    const char *name;
    size_t field;
} sections[] = {
    {".nvFatBinSegment", offsetof(struct host_object, wrapper)},
    {"__nv_relfatbin", offsetof(struct host_object, relocatable)},
    {".nv_fatbin", offsetof(struct host_object, linked)},
    {"__nv_module_id", offsetof(struct host_object, module_ids)},
    {".nvHRKE", offsetof(struct host_object, external_kernels)},
    {".nvHRKI", offsetof(struct host_object, internal_kernels)},
};

static Elf64_Shdr
header_at(struct bytes file, uint64_t table, uint64_t index)
{
    Elf64_Shdr header;

    memcpy(&header, file.at + table + index * sizeof header, sizeof header);
    return header;
}

/*
 * The table must lie inside the file; single sections are checked when wanted. A file that has no
 * sections or no names for them is whole, and holds nothing for us.
 */
static bool
find_tables(struct bytes file, const Elf64_Ehdr *header, uint64_t *count, struct bytes *names)
{
    uint64_t table = header->e_shoff;

    *names = (struct bytes){0};

    if (header->e_shentsize != sizeof(Elf64_Shdr) || !bytes_hold(file, table, sizeof(Elf64_Shdr)))
        return false;
    Elf64_Shdr first = header_at(file, table, 0);
    *count = header->e_shnum ? header->e_shnum : first.sh_size;
    uint64_t index = header->e_shstrndx == SHN_XINDEX ? first.sh_link : header->e_shstrndx;
    if (*count > file.size / sizeof first || !bytes_hold(file, table, *count * sizeof first) ||
        header->e_ident[EI_CLASS] != ELFCLASS64)
        return false;
    if (index >= *count)
        return true;
    Elf64_Shdr strings = header_at(file, table, index);
    if (bytes_hold(file, strings.sh_offset, strings.sh_size))
        *names = (struct bytes){file.at + strings.sh_offset, strings.sh_size};
    return true;
}

/* Whether nothing that a section's header says lies outside the file. */
static bool
lies_inside(struct bytes file, const Elf64_Shdr *header)
{
    return header->sh_type == SHT_NOBITS || bytes_hold(file, header->sh_offset, header->sh_size);
}

static bool
is_sound(struct bytes file, const Elf64_Ehdr *header)
{
    uint64_t segments = (uint64_t)header->e_phnum * sizeof(Elf64_Phdr);

    return bytes_hold(file, header->e_phoff, segments) &&
           !memcmp(header->e_ident, ELFMAG, SELFMAG) && header->e_ident[EI_DATA] == ELFDATA2LSB &&
           header->e_shoff >= sizeof *header;
}

static bool
name_is(struct bytes names, uint64_t offset, const char *name)
{
    size_t size = strlen(name) + 1;
    return bytes_hold(names, offset, size) && !memcmp(names.at + offset, name, size);
}

static bool
take_section(struct bytes file, struct bytes names, const Elf64_Shdr *header,
             struct host_object *out)
{
    for (size_t i = 0; i < sizeof sections / sizeof *sections; i++) {
        if (!name_is(names, header->sh_name, sections[i].name))
            continue;
        struct host_section *section =
            (struct host_section *)(void *)((char *)out + sections[i].field);
        bool is_container = sections[i].field == offsetof(struct host_object, relocatable);
        if (section->found && !(is_container && section->contents.size == 0))
            return true;
        if (!bytes_hold(file, header->sh_offset, header->sh_size) ||
            (header->sh_type != SHT_PROGBITS && header->sh_type != SHT_NOBITS))
            return false;
        *section = (struct host_section){true, {file.at + header->sh_offset, header->sh_size}};
        if (is_container && header->sh_size > 0) /* it knows its size better */
            section->contents.size = file.size - header->sh_offset;
    }
    return true;
}

void
host_object_read(struct bytes file, bool is_member, struct host_object *out)
{
    Elf64_Ehdr header;
    uint64_t count;
    struct bytes names;

    memcpy(&header, file.at, sizeof header);
    *out = (struct host_object){.machine = header.e_machine};
    out->is_damaged =
        !find_tables(file, &header, &count, &names) || !(is_member || is_sound(file, &header));
    for (uint64_t i = 1; !out->is_damaged && i < count; i++) {
        Elf64_Shdr section = header_at(file, header.e_shoff, i);
        out->is_damaged = !(is_member || lies_inside(file, &section)) ||
                          !take_section(file, names, &section, out);
    }
}
