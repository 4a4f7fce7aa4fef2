#include "cubin/elf_view.h"

#include "base/diag.h"
#include "cubin/notes.h"

#include <inttypes.h>

#define ELF_HEADER "the ELF header"
#define SECTION_HEADERS "the section header table"

/* Sizes above this are no memory of any GPU; keeping them out keeps sums of sizes from wrapping. */
#define LARGEST_SECTION ((uint64_t)1 << 44)

#define DAMAGED(where, offset, ...)                                                                \
    diag_damaged(arena->diag, view->file_name, where, offset, __VA_ARGS__)

bool
elf_is_device(struct bytes file)
{
    Elf64_Ehdr header;

    if (file.size < sizeof header)
        return false;
    memcpy(&header, file.at, sizeof header);
    return !memcmp(header.e_ident, ELFMAG, SELFMAG) && header.e_ident[EI_CLASS] == ELFCLASS64 &&
           header.e_ident[EI_DATA] == ELFDATA2LSB && header.e_machine == CUBIN_MACHINE;
}

/* A table of the file, copied where the file leaves it misaligned. */
static const void *
aligned_table(struct arena *arena, const uint8_t *at, size_t size)
{
    if ((uintptr_t)at % sizeof(uint64_t) == 0)
        return at;
    return memcpy(arena_alloc(arena, size), at, size);
}

static void
open_header(struct elf_view *view, struct arena *arena)
{
    if (!elf_is_device(view->file))
        DAMAGED(ELF_HEADER, 0, "not a 64-bit device ELF file of %zu bytes", view->file.size);
    memcpy(&view->header, view->file.at, sizeof view->header);
    if (view->header.e_shentsize != sizeof(Elf64_Shdr))
        DAMAGED(ELF_HEADER, offsetof(Elf64_Ehdr, e_shentsize),
                "section headers of %u bytes instead of %zu", view->header.e_shentsize,
                sizeof(Elf64_Shdr));
}

static void
open_section_table(struct elf_view *view, struct arena *arena)
{
    uint64_t offset = view->header.e_shoff;
    uint64_t count = view->header.e_shnum;

    if (!bytes_hold(view->file, offset, sizeof(Elf64_Shdr)))
        DAMAGED(ELF_HEADER, offsetof(Elf64_Ehdr, e_shoff),
                "section headers at 0x%" PRIx64 " in a file of %zu bytes (truncated?)", offset,
                view->file.size);
    if (count == 0) /* more than fit into e_shnum: the first header holds the number */
        count = read_u64(view->file.at + offset + offsetof(Elf64_Shdr, sh_size));
    if (count == 0 || count > view->file.size / sizeof(Elf64_Shdr) ||
        !bytes_hold(view->file, offset, count * sizeof(Elf64_Shdr)))
        DAMAGED(ELF_HEADER, offsetof(Elf64_Ehdr, e_shnum),
                "%" PRIu64 " section headers at 0x%" PRIx64
                " do not fit in a file of %zu bytes (truncated?)",
                count, offset, view->file.size);
    view->section_count = (uint32_t)count;
    view->sections = aligned_table(arena, view->file.at + offset, count * sizeof(Elf64_Shdr));
}

static uint64_t
header_offset(const struct elf_view *view, uint32_t index)
{
    return view->header.e_shoff + (uint64_t)index * sizeof(Elf64_Shdr);
}

/* String tables end in NUL, so that every offset inside begins a string. */
static struct bytes
open_strings(struct elf_view *view, struct arena *arena, uint32_t index, const char *what)
{
    if (index == 0 || index >= view->section_count || view->sections[index].sh_type != SHT_STRTAB)
        DAMAGED(what, view->header.e_shoff, "section %u is no string table", index);
    struct bytes strings = elf_contents(view, index);
    if (strings.size == 0 || strings.at[strings.size - 1] != '\0')
        DAMAGED(what, view->sections[index].sh_offset, "the string table has no end");
    return strings;
}

/* Nearly always: no branch is taken to find out. */
static bool
have_sound_extents(const struct elf_view *view)
{
    uint64_t file = view->file.size, any = 0;

    for (uint32_t i = 1, count = view->section_count; i < count; i++) {
        const Elf64_Shdr *section = &view->sections[i];
        uint64_t offset = section->sh_offset, size = section->sh_size;
        bool is_outside = (offset > file) | (size > file - offset);

        any |= (section->sh_flags | section->sh_entsize) >> 32;
        any |= (size > LARGEST_SECTION) | (section->sh_addralign > LARGEST_ALIGNMENT);
        any |= is_outside && !has_no_contents(section->sh_type);
    }
    return !any;
}

static void
check_extents(struct elf_view *view, struct arena *arena)
{
    if (have_sound_extents(view))
        return;
    for (uint32_t i = 1; i < view->section_count; i++) {
        const Elf64_Shdr *section = &view->sections[i];

        if (!has_no_contents(section->sh_type) &&
            !bytes_hold(view->file, section->sh_offset, section->sh_size))
            DAMAGED(SECTION_HEADERS, header_offset(view, i),
                    "section %u of 0x%" PRIx64 " bytes at 0x%" PRIx64
                    " lies outside a file of %zu bytes (truncated?)",
                    i, section->sh_size, section->sh_offset, view->file.size);
        if (section->sh_size > LARGEST_SECTION || section->sh_addralign > LARGEST_ALIGNMENT)
            DAMAGED(SECTION_HEADERS, header_offset(view, i),
                    "section %u has size 0x%" PRIx64 " and alignment 0x%" PRIx64, i,
                    section->sh_size, section->sh_addralign);
        if (section->sh_flags > UINT32_MAX || section->sh_entsize > UINT32_MAX)
            DAMAGED(SECTION_HEADERS, header_offset(view, i),
                    "section %u has flags 0x%" PRIx64 " and entries of 0x%" PRIx64 " bytes", i,
                    section->sh_flags, section->sh_entsize);
    }
}

static void
check_names(struct elf_view *view, struct arena *arena)
{
    uint32_t names = view->header.e_shstrndx;

    if (names == SHN_XINDEX)
        names = view->sections[0].sh_link;
    view->section_names = open_strings(view, arena, names, ".shstrtab");
    for (uint32_t i = 0; i < view->section_count; i++)
        if (view->sections[i].sh_name >= view->section_names.size)
            DAMAGED(SECTION_HEADERS, header_offset(view, i),
                    "the name of section %u begins at 0x%x, past the string table", i,
                    view->sections[i].sh_name);
}

static void
find_symbol_table(struct elf_view *view, struct arena *arena)
{
    uint32_t extended = 0;

    for (uint32_t i = 1; i < view->section_count; i++) {
        if (view->sections[i].sh_type == SHT_SYMTAB) {
            if (view->symtab)
                DAMAGED(SECTION_HEADERS, header_offset(view, i), "a second symbol table");
            view->symtab = i;
        } else if (view->sections[i].sh_type == SHT_SYMTAB_SHNDX) {
            extended = i;
        }
    }
    if (!view->symtab)
        return;
    const Elf64_Shdr *table = &view->sections[view->symtab];
    if (table->sh_entsize != sizeof(Elf64_Sym) || table->sh_size % sizeof(Elf64_Sym) != 0 ||
        table->sh_size == 0 || table->sh_size / sizeof(Elf64_Sym) > INT32_MAX)
        DAMAGED(".symtab", table->sh_offset, "0x%" PRIx64 " bytes in entries of 0x%" PRIx64,
                table->sh_size, table->sh_entsize);
    view->symbol_count = (uint32_t)(table->sh_size / sizeof(Elf64_Sym));
    view->symbols = aligned_table(arena, view->file.at + table->sh_offset, table->sh_size);
    view->strings = open_strings(view, arena, table->sh_link, ".strtab");
    if (extended && elf_contents(view, extended).size / sizeof(uint32_t) >= view->symbol_count)
        view->extended_indices = elf_contents(view, extended).at;
}

static void
check_symbols(struct elf_view *view, struct arena *arena)
{
    uint64_t offset = view->symtab ? view->sections[view->symtab].sh_offset : 0;

    for (uint32_t i = 0; i < view->symbol_count; i++, offset += sizeof(Elf64_Sym)) {
        const Elf64_Sym *symbol = &view->symbols[i];

        if (symbol->st_name >= view->strings.size)
            DAMAGED(".symtab", offset,
                    "the name of symbol %u begins at 0x%x, past the string table", i,
                    symbol->st_name);
        if (symbol->st_shndx == SHN_XINDEX && !view->extended_indices)
            DAMAGED(".symtab", offset, "symbol %u needs .symtab_shndx, which is missing", i);
        uint32_t section = elf_symbol_section(view, i);
        if (section < ABSOLUTE_SECTION && section >= view->section_count)
            DAMAGED(".symtab", offset, "symbol %u is in section %u of %u", i, section,
                    view->section_count);
    }
}

void
elf_open_frame(struct elf_view *view, const char *file_name, struct bytes file, struct arena *arena)
{
    *view = (struct elf_view){.file_name = file_name, .file = file};
    open_header(view, arena);
    open_section_table(view, arena);
    check_extents(view, arena);
}

/* The rules of instructions were found on the output of one release. */
static void
judge_tools(struct elf_view *view, const struct tkinfo *tools)
{
    bool is_known = !strcmp(tools->version, KNOWN_RELEASE);

    view->is_of_linker = strcmp(tools->tool, "ptxas") != 0;
    view->is_of_known_release = is_known;
    view->is_of_other_compiler = !is_known && !view->is_of_linker;
    view->is_of_cuda_12 = tools->is_of_cuda_12;
    view->is_sanitized = strstr(tools->options, "-sanitize") != NULL;
}

static void
read_tools(struct elf_view *view)
{
    struct tkinfo tools;

    for (uint32_t i = 1; i < view->section_count; i++) {
        if (view->sections[i].sh_type != SHT_NOTE || !tkinfo_read(elf_contents(view, i), &tools))
            continue;
        judge_tools(view, &tools);
        return;
    }
}

void
elf_open_sections(struct elf_view *view, const char *file_name, struct bytes file,
                  struct arena *arena)
{
    elf_open_frame(view, file_name, file, arena);
    check_names(view, arena);
    read_tools(view);
}

void
elf_open_symbols(struct elf_view *view, struct arena *arena)
{
    find_symbol_table(view, arena);
    check_symbols(view, arena);
}

void
elf_open(struct elf_view *view, const char *file_name, struct bytes file, struct arena *arena)
{
    elf_open_sections(view, file_name, file, arena);
    elf_open_symbols(view, arena);
}

const char *
elf_string(const struct elf_view *view, uint32_t offset)
{
    return offset < view->strings.size ? (const char *)view->strings.at + offset : NULL;
}
