#include "fuzz_layout.h"

#include "cubin/cubin.h"
#include "input/fatbin.h"

#include <stdbool.h>
#include <string.h>

uint64_t
fuzz_below(uint64_t *state, uint64_t limit)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return limit ? (*state >> 33) % limit : 0;
}

static const struct fuzz_layout header_layout = {
    64, 8, {{40, 8}, {48, 4}, {58, 2}, {60, 2}, {62, 2}, {16, 2}, {49, 1}, {51, 1}}};
static const struct fuzz_layout section_layout = {
    64,
    10,
    {{0, 4}, {4, 4}, {8, 8}, {24, 8}, {32, 8}, {40, 4}, {44, 4}, {48, 8}, {56, 8}, {16, 8}}};
static const struct fuzz_layout symbol_layout = {
    24, 6, {{0, 4}, {4, 1}, {5, 1}, {6, 2}, {8, 8}, {16, 8}}};
static const struct fuzz_layout rel_layout = {16, 3, {{0, 8}, {8, 4}, {12, 4}}};
static const struct fuzz_layout rela_layout = {24, 4, {{0, 8}, {8, 4}, {12, 4}, {16, 8}}};
static const struct fuzz_layout record_layout = {4, 4, {{0, 1}, {1, 1}, {2, 2}, {0, 4}}};
static const struct fuzz_layout edge_layout = {8, 2, {{0, 4}, {4, 4}}};
static const struct fuzz_layout word_layout = {4, 1, {{0, 4}}};
static const struct fuzz_layout text_layout = {1, 1, {{0, 1}}};
static const struct fuzz_layout container_layout = {16, 3, {{4, 2}, {6, 2}, {8, 8}}};
static const struct fuzz_layout entry_layout = {
    64, 9, {{0, 2}, {4, 4}, {8, 8}, {16, 4}, {20, 4}, {28, 4}, {40, 8}, {48, 8}, {56, 8}}};

static const struct fuzz_layout *
layout_of(uint32_t type)
{
    static const struct {
        uint32_t type;
        const struct fuzz_layout *layout;
    } layouts[] = {
        {SHT_SYMTAB, &symbol_layout},
        {SHT_MERCURY_SYMTAB, &symbol_layout},
        {SHT_REL, &rel_layout},
        {SHT_RELA, &rela_layout},
        {SHT_MERCURY_RELA, &rela_layout},
        {SHT_STRTAB, &text_layout},
        {SHT_CUDA_INFO, &record_layout},
        {SHT_CUDA_COMPAT, &record_layout},
        {SHT_MERCURY_INFO, &record_layout},
        {SHT_CUDA_CALLGRAPH, &edge_layout},
        {SHT_CUDA_PROTOTYPE, &edge_layout},
    };

    for (size_t i = 0; i < sizeof layouts / sizeof *layouts; i++)
        if (layouts[i].type == type)
            return layouts[i].layout;
    return &word_layout;
}

/* The header, the section headers or the contents of a section. */
static struct fuzz_region
choose_in_elf(const uint8_t *at, size_t size, uint64_t *state)
{
    struct fuzz_region region = {&header_layout, 0, sizeof(Elf64_Ehdr)};
    Elf64_Ehdr header;
    Elf64_Shdr section;

    if (size < sizeof header)
        return (struct fuzz_region){0};
    memcpy(&header, at, sizeof header);
    uint64_t which = fuzz_below(state, 16);
    if (which == 0 || header.e_shoff > size || !header.e_shnum ||
        header.e_shnum > (size - header.e_shoff) / sizeof section)
        return region;
    if (which < 5)
        return (struct fuzz_region){&section_layout, header.e_shoff,
                                    sizeof section * (size_t)header.e_shnum};
    memcpy(&section, at + header.e_shoff + sizeof section * fuzz_below(state, header.e_shnum),
           sizeof section);
    if (section.sh_offset >= size || section.sh_size > size - section.sh_offset)
        return region;
    return (struct fuzz_region){layout_of(section.sh_type), section.sh_offset, section.sh_size};
}

/* The header of the container, or of one of its entries. */
static struct fuzz_region
choose_in_fatbin(const uint8_t *at, size_t size, uint64_t *state)
{
    size_t entry = 16;

    if (size < 16 + 64)
        return (struct fuzz_region){0};
    if (fuzz_below(state, 4) == 0)
        return (struct fuzz_region){&container_layout, 0, 16};
    for (uint64_t skipped = fuzz_below(state, 4); skipped; skipped--) {
        uint64_t next = read_u32(at + entry + 4) + read_u64(at + entry + 8);
        if (next > size - entry || size - entry - next < 64)
            break;
        entry += next;
    }
    return (struct fuzz_region){&entry_layout, entry, 64};
}

static bool
begins_frame(const uint8_t *at)
{
    return !memcmp(at, ELFMAG, SELFMAG) || read_u32(at) == FATBIN_MAGIC;
}

/* One of the frames in the image, which may be packed in each other. */
static size_t
choose_frame(const struct fuzz_image *image, uint64_t *state)
{
    size_t chosen = 0, seen = 0;

    for (size_t at = 0; at + SELFMAG <= image->size; at += 2)
        if (begins_frame(image->at + at) && fuzz_below(state, ++seen) == 0)
            chosen = at;
    return chosen;
}

struct fuzz_region
fuzz_choose_region(const struct fuzz_image *image, uint64_t *state)
{
    size_t frame = choose_frame(image, state), size = image->size - frame;
    const uint8_t *at = image->at + frame;
    struct fuzz_region region = {0};

    if (size < SELFMAG)
        return region;
    if (!memcmp(at, ELFMAG, SELFMAG))
        region = choose_in_elf(at, size, state);
    else if (read_u32(at) == FATBIN_MAGIC)
        region = choose_in_fatbin(at, size, state);
    region.offset += frame;
    return region;
}
