/*
 * floor [-u] OUTPUT SIZE FILE...: the least that a link of these files must cost.
 *
 * Reads every file, unpacks what is compressed, walks all section headers, symbols, relocations and
 * info records, interns all names, and writes SIZE bytes. With -u it only reads and unpacks. The
 * files are those of the benchmark: what they say of themselves is taken as it is.
 */
#include <elf.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

enum { MACHINE_CUDA = 190, SHT_INFO = 0x70000000, INFO_SIZED = 4, AR_HEADER = 60 };
enum { CONTAINER_HEADER = 16, KIND_CUBIN = 2, MAP_AT_LEAST = 1 << 20 };

struct bytes {
    const uint8_t *at;
    size_t size;
};

static uint64_t touched; /* a sum over all that was walked: nothing is optimised away */

static void
fail(const char *what)
{
    perror(what);
    exit(1);
}

static void *
allocate(size_t size)
{
    void *memory = malloc(size ? size : 1);

    if (!memory)
        fail("memory");
    return memory;
}

/* ---- Names ---- */

static const char **names;
static size_t name_count, name_room;

static uint32_t
hash(const char *text)
{
    uint32_t value = 2166136261u;

    for (; *text; text++)
        value = (value ^ (uint8_t)*text) * 16777619u;
    return value;
}

static size_t
slot_of(const char *text)
{
    size_t slot = hash(text) & (name_room - 1);

    while (names[slot] && strcmp(names[slot], text))
        slot = (slot + 1) & (name_room - 1);
    return slot;
}

static void
grow_names(void)
{
    const char **old = names;
    size_t room = name_room;

    name_room = room ? room * 2 : 1024;
    names = calloc(name_room, sizeof *names);
    if (!names)
        fail("memory");
    for (size_t i = 0; i < room; i++)
        if (old[i])
            names[slot_of(old[i])] = old[i];
    free(old);
}

static void
intern(const char *text)
{
    if (name_count * 2 >= name_room)
        grow_names();
    size_t slot = slot_of(text);
    name_count += !names[slot];
    names[slot] = text;
}

/* ---- Device code ---- */

static void
walk_symbols(struct bytes file, const Elf64_Shdr *table, const Elf64_Shdr *strings)
{
    const Elf64_Sym *symbols = (const void *)(file.at + table->sh_offset);

    for (size_t i = 0; i < table->sh_size / sizeof *symbols; i++) {
        intern((const char *)file.at + strings->sh_offset + symbols[i].st_name);
        touched += symbols[i].st_value;
    }
}

static void
walk_relocations(struct bytes file, const Elf64_Shdr *table)
{
    for (size_t at = 0; at + table->sh_entsize <= table->sh_size; at += table->sh_entsize)
        touched += ((const Elf64_Rel *)(const void *)(file.at + table->sh_offset + at))->r_info;
}

static void
walk_records(struct bytes file, const Elf64_Shdr *section)
{
    const uint8_t *at = file.at + section->sh_offset, *end = at + section->sh_size;

    while (at + 4 <= end) {
        touched += at[1];
        at += 4 + (at[0] == INFO_SIZED ? at[2] | at[3] << 8 : 0);
    }
}

static void
walk_cubin(struct bytes file)
{
    const Elf64_Ehdr *header = (const void *)file.at;
    const Elf64_Shdr *sections = (const void *)(file.at + header->e_shoff);
    const char *strings = (const char *)file.at + sections[header->e_shstrndx].sh_offset;

    for (unsigned i = 1; i < header->e_shnum; i++) {
        const Elf64_Shdr *section = &sections[i];

        intern(strings + section->sh_name);
        if (section->sh_type == SHT_SYMTAB)
            walk_symbols(file, section, &sections[section->sh_link]);
        else if (section->sh_type == SHT_REL || section->sh_type == SHT_RELA)
            walk_relocations(file, section);
        else if (section->sh_type == SHT_INFO)
            walk_records(file, section);
    }
}

/* ---- Files ---- */

static bool only_unpack;

/* The first entry of a container, a compressed cubin. */
static void
walk_fatbin(const uint8_t *container)
{
    const uint8_t *entry = container + CONTAINER_HEADER;
    uint16_t kind;
    uint32_t header_size, packed_size;
    uint64_t size;

    memcpy(&kind, entry, sizeof kind);
    memcpy(&header_size, entry + 4, sizeof header_size);
    memcpy(&packed_size, entry + 16, sizeof packed_size);
    memcpy(&size, entry + 56, sizeof size);
    if (kind != KIND_CUBIN)
        return;
    uint8_t *to = allocate(size);
    if (ZSTD_decompress(to, size, entry + header_size, packed_size) != size)
        fail("a compressed entry");
    if (!only_unpack)
        walk_cubin((struct bytes){to, size});
}

static void
walk_elf(struct bytes file)
{
    const Elf64_Ehdr *header = (const void *)file.at;

    if (header->e_machine == MACHINE_CUDA) {
        if (!only_unpack)
            walk_cubin(file);
        return;
    }
    const Elf64_Shdr *sections = (const void *)(file.at + header->e_shoff);
    const char *strings = (const char *)file.at + sections[header->e_shstrndx].sh_offset;
    for (unsigned i = 1; i < header->e_shnum; i++)
        if (!strcmp(strings + sections[i].sh_name, "__nv_relfatbin"))
            walk_fatbin(file.at + sections[i].sh_offset);
}

static void
walk_file(struct bytes file)
{
    if (memcmp(file.at, "!<arch>\n", 8)) {
        walk_elf(file);
        return;
    }
    for (size_t at = 8; at + AR_HEADER < file.size;) {
        size_t size = strtoul((const char *)file.at + at + 48, NULL, 10);

        walk_elf((struct bytes){file.at + at + AR_HEADER, size});
        at += AR_HEADER + size + (size & 1);
    }
}

static struct bytes
load(const char *path)
{
    struct stat status;
    int descriptor = open(path, O_RDONLY);

    if (descriptor < 0 || fstat(descriptor, &status) < 0)
        fail(path);
    size_t size = (size_t)status.st_size;
    void *memory = size < MAP_AT_LEAST ? allocate(size)
                                       : mmap(NULL, size, PROT_READ, MAP_PRIVATE, descriptor, 0);
    if (memory == MAP_FAILED ||
        (size < MAP_AT_LEAST && read(descriptor, memory, size) != (ssize_t)size))
        fail(path);
    close(descriptor);
    return (struct bytes){memory, size};
}

/* The bytes of the inputs, over and over: as many as the linked file has. */
static void
write_output(const char *path, size_t size, const struct bytes *files, int count)
{
    int descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666);

    if (descriptor < 0)
        fail(path);
    for (int i = 0; size > 0; i = (i + 1) % count) {
        size_t part = files[i].size < size ? files[i].size : size;
        if (write(descriptor, files[i].at, part) != (ssize_t)part)
            fail(path);
        size -= part;
    }
    close(descriptor);
}

int
main(int argc, char **argv)
{
    only_unpack = argc > 1 && !strcmp(argv[1], "-u");
    argv += only_unpack, argc -= only_unpack;
    if (argc < 4)
        return 2;
    int count = argc - 3;
    struct bytes *files = allocate((size_t)count * sizeof *files);

    for (int i = 0; i < count; i++) {
        files[i] = load(argv[3 + i]);
        walk_file(files[i]);
    }
    if (!only_unpack)
        write_output(argv[1], strtoul(argv[2], NULL, 10), files, count);
    return touched == 1; /* never: it only has to be used */
}
