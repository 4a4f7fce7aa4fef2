#include "door/frames.h"

#include "cubin/reloc_entry.h"
#include "cubin/reloc_table.h"
#include "mercury/known_code.h"

/* Compilers write three relocations for a frame in both views, those of the last frame first. */
static const struct entry_kind {
    uint32_t at; /* in the frame */
    uint32_t mercury, sass;
} kinds[] = {
    {LENGTH_OF_CODE_AT, R_MERCURY_UNUSED_CLEAR64, R_CUDA_UNUSED_CLEAR64},
    {FUNCTION_AT, R_MERCURY_ABS_PROG_REL64, R_CUDA_64},
    {CIE_POINTER_AT, R_MERCURY_ABS64, R_CUDA_64},
};

enum { OF_LENGTH, OF_FUNCTION, OF_CIE, KINDS = COUNT_OF(kinds), STEP = sizeof(Elf64_Rela) };

/* Both views, frame by frame. */
struct walk {
    const struct frames *frames;
    const uint8_t *entries, *entries_there; /* of mercury and of SASS */
    size_t left;                            /* of each, from its beginning */
    uint64_t at, there;
    uint64_t cie;
    struct known_pair last_cie;
};

static bool
is_entry(const uint8_t *entry, uint64_t offset, uint32_t type, uint32_t symbol)
{
    return entry_offset(entry) == offset && entry_type(entry) == type &&
           entry_symbol(entry) == symbol;
}

/* What they are added to stands in mercury, too, but for the place of the CIE. */
static bool
have_addends(const struct walk *walk, const uint8_t *frame, const uint8_t *entry,
             const uint8_t *there)
{
    uint64_t begin = entry_addend(entry + OF_FUNCTION * STEP);

    return !entry_addend(entry) && !entry_addend(there) && begin == read_u64(frame + FUNCTION_AT) &&
           !begin == !entry_addend(there + OF_FUNCTION * STEP) &&
           !read_u64(frame + CIE_POINTER_AT) && entry_addend(entry + OF_CIE * STEP) == walk->cie &&
           entry_addend(there + OF_CIE * STEP) == walk->cie;
}

/* The symbol that the relocations of the frame name; 0: they are others. */
static uint32_t
take_entries(struct walk *walk, const uint8_t *frame)
{
    const struct elf_view *view = walk->frames->door->view;

    if (walk->left < (size_t)KINDS * STEP)
        return 0;
    walk->left -= (size_t)KINDS * STEP;
    const uint8_t *entry = walk->entries + walk->left, *there = walk->entries_there + walk->left;
    uint32_t symbols[KINDS] = {entry_symbol(entry), entry_symbol(entry),
                               entry_symbol(entry + OF_CIE * STEP)};

    for (size_t i = 0; i < KINDS; i++)
        if (!is_entry(entry + i * STEP, walk->at + kinds[i].at, kinds[i].mercury, symbols[i]) ||
            !is_entry(there + i * STEP, walk->there + kinds[i].at, kinds[i].sass, symbols[i]))
            return 0;
    bool is_sound = symbols[OF_LENGTH] < view->symbol_count &&
                    symbols[OF_CIE] < view->symbol_count &&
                    elf_symbol_section(view, symbols[OF_CIE]) == walk->frames->section &&
                    have_addends(walk, frame, entry, there);
    return is_sound ? symbols[OF_LENGTH] : 0;
}

/* As long as read_frames wants it. */
static bool
is_sound_size(uint64_t size)
{
    return size >= CODE_AT && size % sizeof(uint32_t) == 0;
}

/* Most are like the one before. */
static bool
is_same_cie(struct walk *walk, struct bytes mercury, struct bytes sass)
{
    walk->cie = walk->at;
    if (is_known_pair(&walk->last_cie, mercury, sass))
        return true;
    walk->last_cie = (struct known_pair){mercury, sass};
    return is_plainly_same_frame(NULL, mercury, sass) && !find_odd_opcode(mercury);
}

static bool
is_same_fde(struct walk *walk, struct bytes mercury, struct bytes sass,
            struct code_map *const *maps)
{
    uint32_t function = take_entries(walk, mercury.at);
    const struct code_map *map = map_of_function(walk->frames, function, maps);
    struct known_function *known = map ? map->known : NULL;

    if (!function)
        return false;
    if (known && is_known_pair(&known->frame, mercury, sass))
        return true;
    if (!is_plainly_same_frame(map, mercury, sass))
        return is_same_at(walk->frames, function, mercury, sass, maps) && !find_odd_opcode(mercury);
    if (known)
        known->frame = (struct known_pair){mercury, sass};
    return true;
}

static bool
are_same(struct walk *walk, struct bytes sass, struct code_map *const *maps)
{
    struct bytes mercury = walk->frames->contents;

    while (walk->at < mercury.size) {
        struct bytes one = frame_at(mercury, walk->at), other = frame_at(sass, walk->there);

        if (!is_sound_size(one.size) || !other.size)
            return false;
        if (frame_record_is_cie(one, 0) ? !is_same_cie(walk, one, other)
                                        : !is_same_fde(walk, one, other, maps))
            return false;
        walk->at += one.size;
        walk->there += other.size;
    }
    return walk->there == sass.size && !walk->left;
}

/* The table is the first. */
static bool
is_only_table(const struct elf_view *view, uint32_t table)
{
    for (uint32_t i = table + 1; i < view->section_count; i++)
        if (view->sections[i].sh_info == view->sections[table].sh_info &&
            is_relocation_table(view->sections[i].sh_type))
            return false;
    return true;
}

bool
are_plain_frames(const struct frames *frames, uint32_t table, struct code_map *const *maps)
{
    const struct elf_view *view = frames->door->view;

    if (!table || view->is_of_linker || view->header.e_type == ET_CUDA_WHOLE_PROGRAM)
        return false;
    struct bytes sass = elf_contents(view, view->twins[frames->section]);
    struct bytes entries = elf_contents(view, table);
    struct bytes entries_there = elf_contents(view, view->twins[table]);
    struct walk walk = {.frames = frames,
                        .entries = entries.at,
                        .entries_there = entries_there.at,
                        .left = entries.size};

    return sass.at && is_only_table(view, table) && entries.size == entries_there.size &&
           are_same(&walk, sass, maps);
}
