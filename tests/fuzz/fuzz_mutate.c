#include "fuzz_mutate.h"

#include <elf.h>
#include <string.h>

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed);

unsigned
fuzz_split(const uint8_t *data, size_t size, struct fuzz_image images[FUZZ_IMAGES])
{
    if (size < 6)
        return 0;
    unsigned count = data[1] % (FUZZ_IMAGES + 1u);
    size_t at = 2 + 4 * (size_t)count;

    if (count == 0 || at > size)
        return 0;
    for (unsigned i = 0; i < count; i++) {
        uint32_t length;
        memcpy(&length, data + 2 + 4 * (size_t)i, sizeof length);
        if (length > size - at || i + 1 == count)
            length = (uint32_t)(size - at);
        images[i] = (struct fuzz_image){data + at, length};
        at += length;
    }
    return count;
}

/* ---- a small random source, started from libFuzzer's seed ---- */

static uint64_t
next_random(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return *state >> 33;
}

static uint64_t
below(uint64_t *state, uint64_t limit)
{
    return limit ? next_random(state) % limit : 0;
}

/* ---- tables and their rows ---- */

struct field {
    uint8_t offset, width;
};

struct layout {
    uint8_t step, count;
    struct field fields[10];
};

static const struct layout header_layout = {
    64, 8, {{40, 8}, {48, 4}, {58, 2}, {60, 2}, {62, 2}, {16, 2}, {49, 1}, {51, 1}}};
static const struct layout section_layout = {
    64,
    10,
    {{0, 4}, {4, 4}, {8, 8}, {24, 8}, {32, 8}, {40, 4}, {44, 4}, {48, 8}, {56, 8}, {16, 8}}};
static const struct layout symbol_layout = {
    24, 6, {{0, 4}, {4, 1}, {5, 1}, {6, 2}, {8, 8}, {16, 8}}};
static const struct layout rel_layout = {16, 3, {{0, 8}, {8, 4}, {12, 4}}};
static const struct layout rela_layout = {24, 4, {{0, 8}, {8, 4}, {12, 4}, {16, 8}}};
static const struct layout record_layout = {4, 4, {{0, 1}, {1, 1}, {2, 2}, {0, 4}}};
static const struct layout word_layout = {4, 1, {{0, 4}}};

static const struct layout *
layout_of(uint32_t type)
{
    static const struct {
        uint32_t type;
        const struct layout *layout;
    } layouts[] = {
        {SHT_SYMTAB, &symbol_layout}, {SHT_REL, &rel_layout},       {SHT_RELA, &rela_layout},
        {0x70000000, &record_layout}, {0x70000086, &record_layout},
    };

    for (size_t i = 0; i < sizeof layouts / sizeof *layouts; i++)
        if (layouts[i].type == type)
            return layouts[i].layout;
    return &word_layout;
}

struct region {
    const struct layout *layout;
    size_t offset, size;
};

/* A table of the image by chance: the header, the section headers or the contents of a section. */
static struct region
choose_region(const struct fuzz_image *image, uint64_t *state)
{
    struct region region = {&header_layout, 0, 64};
    Elf64_Ehdr header;
    Elf64_Shdr section;

    memcpy(&header, image->at, sizeof header);
    uint64_t which = below(state, 16);
    if (which == 0 || header.e_shoff > image->size ||
        header.e_shnum > (image->size - header.e_shoff) / sizeof section || !header.e_shnum)
        return region;
    if (which < 5)
        return (struct region){&section_layout, header.e_shoff, 64 * (size_t)header.e_shnum};
    memcpy(&section, image->at + header.e_shoff + 64 * below(state, header.e_shnum),
           sizeof section);
    if (section.sh_offset >= image->size || section.sh_size > image->size - section.sh_offset)
        return region;
    return (struct region){layout_of(section.sh_type), section.sh_offset, section.sh_size};
}

static uint64_t
odd_value(uint64_t old, const struct fuzz_image *image, uint64_t *state)
{
    static const uint64_t edges[] = {
        0,          1,          2,          3,          4,          7,          8,
        0x7f,       0x80,       0xff,       0xff00,     0xfff1,     0xfff2,     0xffff,
        0xffffff,   0x1000000,  0x7fffffff, 0x80000000, 0xffffffff, 1ull << 32, 1ull << 44,
        ~0ull >> 1, 1ull << 63, ~0ull - 7,  ~0ull,
    };

    switch (below(state, 7)) {
    case 0:
        return edges[below(state, sizeof edges / sizeof *edges)];
    case 1:
        return old + 1;
    case 2:
        return old - 1;
    case 3:
        return old ^ 1ull << below(state, 64);
    case 4:
        return image->size - below(state, 3);
    case 5: /* section types, attributes, relocation types, indices */
        return (old & 0x70000000) | below(state, 0x88);
    default:
        return below(state, 40);
    }
}

/* Changes a field, or copies a row over another one. */
static void
change_table(uint8_t *bytes, const struct fuzz_image *image, uint64_t *state)
{
    struct region region = choose_region(image, state);
    size_t step = region.layout->step, rows = region.size / step;

    if (!rows || region.offset + region.size > image->size)
        return;
    uint8_t *row = bytes + region.offset + step * below(state, rows);
    const uint8_t *other = bytes + region.offset + step * below(state, rows);
    if (below(state, 8) == 0) {
        memmove(row, other, step);
        return;
    }
    struct field field = region.layout->fields[below(state, region.layout->count)];
    uint64_t value = 0;
    memcpy(&value, below(state, 5) ? row + field.offset : other + field.offset, field.width);
    value = odd_value(value, image, state);
    memcpy(row + field.offset, &value, field.width);
}

size_t
LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
    struct fuzz_image images[FUZZ_IMAGES];
    unsigned count = fuzz_split(data, size, images);
    uint64_t state = seed * 2654435761u + 1u;

    next_random(&state);
    if (!count || below(&state, 8) == 0)
        return LLVMFuzzerMutate(data, size, max_size);
    if (below(&state, 12) == 0) {
        data[0] ^= (uint8_t)(1u << below(&state, 8));
        return size;
    }
    const struct fuzz_image *image = &images[below(&state, count)];
    if (image->size < 64)
        return LLVMFuzzerMutate(data, size, max_size);
    for (uint64_t changes = 1 + below(&state, 3); changes; changes--)
        change_table(data + (image->at - data), image, &state);
    return size;
}
