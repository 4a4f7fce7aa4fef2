#include "input/host_object.h"

#include "base/array.h"

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

struct reader {
    struct bytes file;
    Elf64_Ehdr header;
    uint64_t count; /* of sections */
    struct bytes names;
    struct host_object *out;
};

static bool
refuse(struct reader *reader, uint64_t at, const char *damage)
{
    reader->out->damage = damage;
    reader->out->damage_at = at;
    return false;
}

static uint64_t
place_of_header(const struct reader *reader, uint64_t index)
{
    return reader->header.e_shoff + index * sizeof(Elf64_Shdr);
}

static Elf64_Shdr
header_at(const struct reader *reader, uint64_t index)
{
    Elf64_Shdr header;

    memcpy(&header, reader->file.at + place_of_header(reader, index), sizeof header);
    return header;
}

static bool
check_header(struct reader *reader)
{
    const Elf64_Ehdr *header = &reader->header;
    uint64_t segments = (uint64_t)header->e_phnum * sizeof(Elf64_Phdr);

    if (memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 || header->e_ident[EI_CLASS] != ELFCLASS64 ||
        header->e_ident[EI_DATA] != ELFDATA2LSB)
        return refuse(reader, 0, "not a 64-bit little-endian ELF file");
    if (!bytes_hold(reader->file, header->e_phoff, segments) ||
        (header->e_phnum && header->e_phoff < sizeof *header))
        return refuse(reader, offsetof(Elf64_Ehdr, e_phoff),
                      "the segments lie outside the file (truncated?)");
    if (header->e_shentsize != sizeof(Elf64_Shdr) || header->e_shoff < sizeof *header)
        return refuse(reader, offsetof(Elf64_Ehdr, e_shoff), "it has no section headers");
    if (!bytes_hold(reader->file, header->e_shoff, sizeof(Elf64_Shdr)))
        return refuse(reader, offsetof(Elf64_Ehdr, e_shoff),
                      "the section headers lie outside the file (truncated?)");
    return true;
}

/* The first header counts what does not fit into that of the file, and else holds nothing. */
static bool
check_first(struct reader *reader, const Elf64_Shdr *first)
{
    const Elf64_Ehdr *header = &reader->header;
    bool is_empty = !first->sh_name && !first->sh_type && !first->sh_flags && !first->sh_addr &&
                    !first->sh_offset && !first->sh_addralign && !first->sh_entsize &&
                    (!first->sh_size || !header->e_shnum) &&
                    (!first->sh_link || header->e_shstrndx == SHN_XINDEX) &&
                    (!first->sh_info || header->e_phnum == PN_XNUM);

    return is_empty || refuse(reader, header->e_shoff, "the first section header is not empty");
}

/* A file that has no names for its sections is whole, and holds nothing for us. */
static bool
open_tables(struct reader *reader)
{
    const Elf64_Ehdr *header = &reader->header;
    Elf64_Shdr first = header_at(reader, 0);
    uint64_t index = header->e_shstrndx == SHN_XINDEX ? first.sh_link : header->e_shstrndx;

    reader->count = header->e_shnum ? header->e_shnum : first.sh_size;
    if (reader->count > reader->file.size / sizeof first ||
        !bytes_hold(reader->file, header->e_shoff, reader->count * sizeof first))
        return refuse(reader, offsetof(Elf64_Ehdr, e_shnum),
                      "the section headers lie outside the file (truncated?)");
    if (!check_first(reader, &first))
        return false;
    if (index == SHN_UNDEF)
        return true;
    if (index >= reader->count)
        return refuse(reader, offsetof(Elf64_Ehdr, e_shstrndx), "there is no section of names");
    Elf64_Shdr strings = header_at(reader, index);
    if (strings.sh_type != SHT_STRTAB || strings.sh_size == 0 ||
        !bytes_hold(reader->file, strings.sh_offset, strings.sh_size) ||
        reader->file.at[strings.sh_offset + strings.sh_size - 1])
        return refuse(reader, place_of_header(reader, index), "the section names are no strings");
    reader->names = (struct bytes){reader->file.at + strings.sh_offset, strings.sh_size};
    return true;
}

static bool
check_section(struct reader *reader, const Elf64_Shdr *section, uint64_t index)
{
    if (section->sh_type != SHT_NOBITS &&
        !bytes_hold(reader->file, section->sh_offset, section->sh_size))
        return refuse(reader, place_of_header(reader, index),
                      "a section lies outside the file (truncated?)");
    if (reader->names.size && section->sh_name >= reader->names.size)
        return refuse(reader, place_of_header(reader, index),
                      "the name of a section lies outside the strings");
    return true;
}

static bool
take_section(struct reader *reader, const Elf64_Shdr *header, uint64_t index)
{
    const char *name = (const char *)reader->names.at + header->sh_name;

    for (size_t i = 0; i < COUNT_OF(sections); i++) {
        if (strcmp(name, sections[i].name) != 0)
            continue;
        struct host_section *section =
            (struct host_section *)(void *)((char *)reader->out + sections[i].field);
        bool is_container = sections[i].field == offsetof(struct host_object, relocatable);
        if (section->found && !(is_container && section->contents.size == 0))
            return true;
        if (!bytes_hold(reader->file, header->sh_offset, header->sh_size) ||
            (header->sh_type != SHT_PROGBITS && header->sh_type != SHT_NOBITS))
            return refuse(reader, place_of_header(reader, index),
                          "a section of device code has another type");
        *section = (struct host_section){
            .found = true,
            .contents = {reader->file.at + header->sh_offset, header->sh_size},
            .index = index,
            .start = header->sh_offset,
            .size = header->sh_type == SHT_NOBITS ? 0 : header->sh_size,
        };
        if (is_container && header->sh_size > 0) /* it knows its size better */
            section->contents.size = reader->file.size - header->sh_offset;
    }
    return true;
}

/* Files of hosts with another order of bytes, and such without sections, hold nothing for us. */
static bool
is_of_no_interest(const struct reader *reader)
{
    const Elf64_Ehdr *header = &reader->header;
    bool is_big_endian = header->e_ident[EI_DATA] == ELFDATA2MSB &&
                         header->e_shentsize == (uint16_t)(sizeof(Elf64_Shdr) << 8);

    return is_big_endian || (!header->e_shoff && !header->e_shnum);
}

/* Does it hold bytes of another of the sections that we read? */
static bool
overlaps_wanted(const struct reader *reader, const Elf64_Shdr *header, uint64_t index)
{
    for (size_t i = 0; i < COUNT_OF(sections); i++) {
        const struct host_section *wanted =
            (const struct host_section *)(const void *)((const char *)reader->out +
                                                        sections[i].field);

        if (wanted->size && wanted->index != index &&
            header->sh_offset < wanted->start + wanted->size &&
            wanted->start < header->sh_offset + header->sh_size)
            return true;
    }
    return false;
}

static bool
check_text(struct reader *reader, const struct host_section *names)
{
    struct bytes contents = names->contents;
    return contents.size == 0 || contents.at[contents.size - 1] == '\0' ||
           refuse(reader, names->start, "a section of names does not end");
}

/* Names end, and what we read belongs to no other section. */
static bool
check_wanted(struct reader *reader)
{
    const struct host_object *out = reader->out;

    if (!check_text(reader, &out->external_kernels) || !check_text(reader, &out->internal_kernels))
        return false;
    for (uint64_t i = 1; i < reader->count; i++) {
        Elf64_Shdr section = header_at(reader, i);
        if (section.sh_type != SHT_NOBITS && section.sh_size &&
            overlaps_wanted(reader, &section, i))
            return refuse(reader, place_of_header(reader, i),
                          "a section lies over one of device code");
    }
    return true;
}

void
host_object_read(struct bytes file, bool is_member, struct host_object *out)
{
    struct reader reader = {.file = file, .out = out};

    memcpy(&reader.header, file.at, sizeof reader.header);
    *out = (struct host_object){.machine = reader.header.e_machine};
    if (is_member && is_of_no_interest(&reader))
        return;
    if (!check_header(&reader) || !open_tables(&reader))
        return;
    for (uint64_t i = 1; i < reader.count; i++) {
        Elf64_Shdr section = header_at(&reader, i);
        if (!check_section(&reader, &section, i) ||
            (reader.names.size && !take_section(&reader, &section, i)))
            return;
    }
    if (out->wrapper.found)
        check_wanted(&reader);
}
