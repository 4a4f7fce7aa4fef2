/*
 * elf_view.h: a read-only, checked view of one device ELF image.
 *
 * Input is untrusted. elf_open checks the frame once: every table lies inside the file, every
 * section's contents too, names end, symbols name existing sections. What it accepted the
 * accessors below hand out without further checks. A view borrows the bytes it was opened on.
 */
#ifndef CULD_CUBIN_ELF_VIEW_H
#define CULD_CUBIN_ELF_VIEW_H

#include "base/arena.h"
#include "base/bytes.h"
#include "cubin/cubin.h"

/* Where the parts of a section end that was taken apart when it was checked: sequences of lines, lists of
   registers. */
struct section_marks {
    const struct section_marks *next; /* of another section */
    uint32_t section, count;
    uint32_t ends[];
};

struct elf_view {
    const char *file_name; /* for messages */
    struct bytes file;
    Elf64_Ehdr header;
    const Elf64_Shdr *sections;
    uint32_t section_count;
    struct bytes section_names;
    const Elf64_Sym *symbols;
    uint32_t symbol_count;
    struct bytes strings;
    uint32_t symtab;                 /* section index, 0: the file has no symbols */
    const uint8_t *extended_indices; /* .symtab_shndx or NULL */
    bool is_of_known_release;        /* of compiler or linker, as the note about tools says */
    bool is_of_linker;
    bool is_of_other_compiler; /* of another release: 12.8, 12.9, other builds of 13.0 */
    bool is_of_cuda_12;        /* it has mercury that was made before 13.0 */
    bool is_sanitized;         /* checks were put into its code, which waits elsewhere since */

    /* Of a file seen as mercury, NULL otherwise: mercury/view.h. */
    const uint32_t *twins;             /* per section: its counterpart in the other view, 0: none */
    const uint32_t *parameter_banks;   /* per text of SASS: its .nv.constant0, 0: none */
    const struct section_marks *marks; /* of sections of SASS; NULL: of none */
    bool has_frames_alone;             /* frames that SASS has not */
    bool has_timed_code;               /* instructions that take other times on other targets */
    const Elf64_Sym *sass_symbols;     /* the same symbols in the other view, */
    uint32_t sass_symbol_count;        /* and behind them those of sections that only it has */
};

/* NULL: it was not noted where its parts end. */
static inline const struct section_marks *
elf_marks(const struct elf_view *view, uint32_t section)
{
    const struct section_marks *marks = view->marks;

    while (marks && marks->section != section)
        marks = marks->next;
    return marks;
}

/* Does the file begin like a 64-bit little-endian ELF file of a CUDA device? */
bool elf_is_device(struct bytes file);

/* The sections alone: enough to tell a truncated file from one for another target. */
void elf_open_frame(struct elf_view *view, const char *file_name, struct bytes file,
                    struct arena *arena);

/* The two halves of elf_open: sections with their names, then symbols. */
void elf_open_sections(struct elf_view *view, const char *file_name, struct bytes file,
                       struct arena *arena);
void elf_open_symbols(struct elf_view *view, struct arena *arena);

/* Fatal (diag_damaged) if the image breaks the format. */
void elf_open(struct elf_view *view, const char *file_name, struct bytes file, struct arena *arena);

/* Whoever wrote it, nothing is asked of it that was learned from files of one release. */
static inline void
elf_trust(struct elf_view *view)
{
    view->is_of_known_release = view->is_of_other_compiler = false;
}

/* Rules of what one compiler writes hold for its files alone. */
static inline bool
is_of_known_compiler(const struct elf_view *view)
{
    return view->is_of_known_release && !view->is_of_linker;
}

/* Only whole programs have slots of textures behind their parameters, and what links made of them. */
static inline bool
elf_may_have_slots(const struct elf_view *view)
{
    return view->header.e_type == ET_CUDA_WHOLE_PROGRAM || view->is_of_linker;
}

/* The symbol of the function whose code it is; the bits above say how many registers it has. */
static inline uint32_t
elf_text_function(const struct elf_view *view, uint32_t section)
{
    return view->sections[section].sh_info & ((1u << TEXT_REGISTERS_SHIFT) - 1);
}

/* The section that this one belongs to, 0: none. Parameters of older toolkits have no flag for
   that. */
static inline uint32_t
elf_owner(const struct elf_view *view, uint32_t index)
{
    const Elf64_Shdr *section = &view->sections[index];
    bool has_owner = section->sh_flags & SHF_INFO_LINK || section->sh_type == SHT_CUDA_CONSTANT0;

    return has_owner && section->sh_info < view->section_count ? section->sh_info : 0;
}

static inline const char *
elf_section_name(const struct elf_view *view, uint32_t index)
{
    /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): every file has sections */
    return (const char *)view->section_names.at + view->sections[index].sh_name;
}

static inline const char *
elf_symbol_name(const struct elf_view *view, uint32_t index)
{
    return (const char *)view->strings.at + view->symbols[index].st_name;
}

/* Empty for sections that occupy no file space. */
static inline struct bytes
elf_contents(const struct elf_view *view, uint32_t index)
{
    const Elf64_Shdr *section = &view->sections[index];

    if (has_no_contents(section->sh_type))
        return (struct bytes){0};
    return (struct bytes){view->file.at + section->sh_offset, section->sh_size};
}

/* A large file has sections of the numbers SHN_ABS and SHN_COMMON, so those have others here. */
#define ABSOLUTE_SECTION (UINT32_MAX - 1)
#define COMMON_SECTION UINT32_MAX

/* The section of a symbol with extended indices resolved. */
static inline uint32_t
elf_symbol_section(const struct elf_view *view, uint32_t index)
{
    uint16_t section = view->symbols[index].st_shndx;

    if (section == SHN_ABS)
        return ABSOLUTE_SECTION;
    if (section == SHN_COMMON)
        return COMMON_SECTION;
    if (section == SHN_XINDEX)
        return read_u32(view->extended_indices + (size_t)index * sizeof(uint32_t));
    return section;
}

/* A string of the symbol string table by its offset; NULL if it is outside. */
const char *elf_string(const struct elf_view *view, uint32_t offset);

#endif
