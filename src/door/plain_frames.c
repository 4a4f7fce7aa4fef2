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
    const struct frames *frames; /* of mercury */
    struct bytes sass;
    struct code_map *const *maps;
    const uint8_t *entries, *entries_there; /* of mercury and of SASS */
    size_t left;                            /* of each, from its beginning */
    uint64_t at, there;
    uint64_t cie;
    struct known_pair *cies; /* known ones, see known_code.h */
    uint32_t *ends;          /* where frames of SASS end that were passed, */
    uint32_t count;          /* how many these are */
    bool is_behind_cie;
    bool has_idle_cie; /* one that no frame stands behind */
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
    uint64_t begin = entry_addend(entry + (size_t)OF_FUNCTION * STEP);

    return !entry_addend(entry) && !entry_addend(there) && begin == read_u64(frame + FUNCTION_AT) &&
           !begin == !entry_addend(there + (size_t)OF_FUNCTION * STEP) &&
           !read_u64(frame + CIE_POINTER_AT) &&
           entry_addend(entry + (size_t)OF_CIE * STEP) == walk->cie &&
           entry_addend(there + (size_t)OF_CIE * STEP) == walk->cie;
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
                               entry_symbol(entry + (size_t)OF_CIE * STEP)};

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

/* Goes on behind the next of both views, if they are those. */
static bool
pass_known(struct walk *walk, const struct known_pair *known)
{
    struct bytes mercury = walk->frames->contents;

    if (!known->mercury.size || mercury.size - walk->at < known->mercury.size ||
        walk->sass.size - walk->there < known->sass.size ||
        memcmp(mercury.at + walk->at, known->mercury.at, known->mercury.size) != 0 ||
        memcmp(walk->sass.at + walk->there, known->sass.at, known->sass.size) != 0)
        return false;
    walk->at += known->mercury.size;
    walk->there += known->sass.size;
    return true;
}

/* The same of any that say the same; those become known. */
static bool
pass_same(struct walk *walk, uint32_t function, struct known_pair *known)
{
    struct bytes one = frame_at(walk->frames->contents, walk->at);
    struct bytes other = frame_at(walk->sass, walk->there);

    if (!is_sound_size(one.size) || !other.size)
        return false;
    bool is_plain =
        is_plainly_same_frame(map_of_function(walk->frames, function, walk->maps), one, other);
    if (!is_plain && !is_same_at(walk->frames, function, one, other, walk->maps))
        return false;
    if ((!function || !is_plain) && find_odd_opcode(one))
        return false;
    if (known && is_plain)
        *known = (struct known_pair){one, other};
    walk->at += one.size;
    walk->there += other.size;
    return true;
}

/* The first ones become known. */
static bool
pass_cie(struct walk *walk)
{
    struct known_pair *known = walk->cies, *end = known + KNOWN_CIES;

    walk->cie = walk->at;
    walk->has_idle_cie |= walk->is_behind_cie;
    walk->is_behind_cie = true;
    for (; known < end && known->mercury.size; known++)
        if (pass_known(walk, known))
            return true;
    return pass_same(walk, 0, known < end ? known : NULL);
}

static bool
pass_next(struct walk *walk)
{
    struct bytes mercury = walk->frames->contents;
    const uint8_t *frame = mercury.at + walk->at;

    if (mercury.size - walk->at < CODE_AT)
        return false;
    if (read_u64(frame + CIE_POINTER_AT) == IS_CIE)
        return pass_cie(walk);
    uint32_t function = take_entries(walk, frame);
    const struct code_map *map = map_of_function(walk->frames, function, walk->maps);
    struct known_pair *known = map && map->known ? &map->known->frame : NULL;
    if (!function || !((known && pass_known(walk, known)) || pass_same(walk, function, known)))
        return false;
    walk->is_behind_cie = false;
    walk->ends[walk->count++] = (uint32_t)walk->there;
    return true;
}

/* The link goes through the frames of SASS once more. */
static void
note_frames(const struct walk *walk)
{
    const struct frames *frames = walk->frames;

    if (!walk->count || walk->has_idle_cie || walk->is_behind_cie || walk->sass.size > UINT32_MAX)
        return;
    struct section_marks *marks =
        note_marks(frames->door, frames->door->view->twins[frames->section], walk->count);
    memcpy(marks->ends, walk->ends, walk->count * sizeof *walk->ends);
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
    struct bytes entries = elf_contents(view, table);
    struct bytes entries_there = elf_contents(view, view->twins[table]);
    struct known_pair own[KNOWN_CIES] = {0};
    struct walk walk = {
        .frames = frames,
        .cies = frames->door->known ? frames->door->known->cies : own,
        .sass = elf_contents(view, view->twins[frames->section]),
        .maps = maps,
        .entries = entries.at,
        .entries_there = entries_there.at,
        .left = entries.size,
        .ends = arena_alloc(frames->door->arena, entries.size / STEP * sizeof *walk.ends)};

    if (!walk.sass.at || !is_only_table(view, table) || entries.size != entries_there.size)
        return false;
    while (walk.at < frames->contents.size)
        if (!pass_next(&walk))
            return false;
    if (walk.there != walk.sass.size || walk.left)
        return false;
    note_frames(&walk);
    return true;
}
