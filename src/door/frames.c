#include "door/check.h"

#include "cubin/reloc_table.h"
#include "mercury/frame_events.h"
#include "mercury/frame_record.h"

/*
 * .debug_frame is 64-bit DWARF. An entry for a function (FDE) begins with
 *
 *     u32 0xffffffff    u64 length    u64 place of its CIE    u64 function    u64 size of its code
 *
 * and the last three are what relocations fill in.
 */
enum {
    ESCAPE = 0,
    LENGTH = 4,
    CIE = 12,
    FUNCTION = 20,
    CODE_SIZE = 28,
    SMALLEST_ENTRY = 36,
    EMPTY_FRAME = 40,
    WORD = 4,
    ENTRY_STEP = 32, /* no more than the smallest */
};

/* What relocation may stand at a word of the section, and none once it did. */
enum place { PLACE_NONE, PLACE_CIE, PLACE_FUNCTION, PLACE_CODE_SIZE, PLACE_IN_CIE };

struct frames {
    const struct door *door;
    uint32_t section;
    struct bytes contents;
    uint8_t *places;
    uint32_t *functions; /* of each entry, by its place: the symbol that both relocations name */
};

/* A CIE may have the address of a function inside another, in a -r output of a whole program. */
static void
mark_entry(const struct frames *frames, size_t at, size_t end)
{
    if (read_u64(frames->contents.at + at + CIE) == UINT64_MAX) {
        memset(frames->places + (at + FUNCTION) / WORD, PLACE_IN_CIE, (end - at - FUNCTION) / WORD);
        return;
    }
    frames->places[(at + CIE) / WORD] = PLACE_CIE;
    frames->places[(at + FUNCTION) / WORD] = PLACE_FUNCTION;
    frames->places[(at + CODE_SIZE) / WORD] = PLACE_CODE_SIZE;
}

static void
mark_places(const struct frames *frames)
{
    struct bytes contents = frames->contents;
    size_t at = 0;

    while (at < contents.size) {
        bool holds_header = bytes_hold(contents, at, SMALLEST_ENTRY);
        uint64_t length = holds_header ? read_u64(contents.at + at + LENGTH) : 0;

        if (!holds_header || read_u32(contents.at + at + ESCAPE) != UINT32_MAX || length % WORD ||
            !bytes_hold(contents, at + CIE, length) || length < SMALLEST_ENTRY - CIE)
            REFUSE_CONTENTS(frames->door, frames->section, at, "an entry does not fit");
        mark_entry(frames, at, at + CIE + length);
        at += CIE + length;
    }
}

static enum place
place_of(uint32_t type, unsigned symbol_type)
{
    switch (type) {
    case R_CUDA_UNUSED_CLEAR64: /* the size, unless the function goes */
    case R_MERCURY_UNUSED_CLEAR64:
        return PLACE_CODE_SIZE;
    case R_CUDA_64:
        return symbol_type == STT_SECTION ? PLACE_CIE : PLACE_FUNCTION;
    case R_MERCURY_ABS64:
        return PLACE_CIE;
    case R_MERCURY_ABS_PROG_REL64:
        return PLACE_FUNCTION;
    }
    return PLACE_NONE;
}

static bool
is_place(enum place place, enum place wanted)
{
    return wanted != PLACE_NONE &&
           (place == wanted || (place == PLACE_IN_CIE && wanted == PLACE_FUNCTION));
}

/* A frame is as long as its function; of one inside another its place is said, too. One that says
   nothing else has the form of mercury. */
static bool
is_as_long(const struct frames *frames, uint64_t function_at, uint32_t symbol)
{
    const uint8_t *function = frames->contents.at + function_at;
    uint64_t length = read_u64(function - FUNCTION + LENGTH);

    return read_u64(function) != 0 || length <= EMPTY_FRAME - CIE ||
           read_u64(function + CODE_SIZE - FUNCTION) == frames->door->view->symbols[symbol].st_size;
}

/* Entries belong to this section; the function of an entry is the one with whose code its size
   goes. */
static bool
names_fit(const struct frames *frames, enum place place, uint64_t offset, uint32_t symbol)
{
    uint64_t function = place == PLACE_CODE_SIZE ? offset - (CODE_SIZE - FUNCTION) : offset;
    uint32_t *named = &frames->functions[function / ENTRY_STEP];

    if (place == PLACE_CIE)
        return elf_symbol_section(frames->door->view, symbol) == frames->section;
    if (place == PLACE_IN_CIE)
        return true;
    if (*named && *named != symbol)
        return false;
    *named = symbol;
    return true;
}

static void
check_table(const struct frames *frames, uint32_t table)
{
    const struct elf_view *view = frames->door->view;
    struct bytes entries = elf_contents(view, table);
    size_t step = view->sections[table].sh_entsize;
    /* Sizes of mercury are not always those of their functions. */
    bool says_size = view->header.e_flags & CUBIN_FLAG_MERCURY && !view->twins;

    for (size_t at = 0; at + step <= entries.size; at += step) {
        uint64_t offset = read_u64(entries.at + at);
        uint32_t symbol = read_u32(entries.at + at + 12);
        uint8_t *place = offset < frames->contents.size && offset % WORD == 0
                             ? &frames->places[offset / WORD]
                             : NULL;
        unsigned type =
            symbol < view->symbol_count ? ELF64_ST_TYPE(view->symbols[symbol].st_info) : 0;

        enum place wanted = place_of(read_u32(entries.at + at + 8), type);

        bool fits = place && symbol < view->symbol_count && is_place(*place, wanted) &&
                    names_fit(frames, *place, offset, symbol);

        if (!fits && view->is_of_linker)
            return;
        if (!fits)
            REFUSE_CONTENTS(frames->door, table, at, "no relocation has its place at 0x%llx",
                            (unsigned long long)offset);
        if (*place == PLACE_FUNCTION && says_size && symbol < view->symbol_count &&
            !is_as_long(frames, offset, symbol) && !view->is_of_linker)
            REFUSE_CONTENTS(frames->door, frames->section, offset, "'%s' has another size",
                            elf_symbol_name(view, symbol));
        *place = PLACE_NONE;
    }
}

static struct frames
read_frames(const struct door *door, uint32_t section)
{
    const struct elf_view *view = door->view;
    struct frames frames = {
        .door = door, .section = section, .contents = elf_contents(view, section)};

    frames.places = arena_array(door->arena, frames.contents.size / WORD + 1, 1);
    frames.functions =
        arena_array(door->arena, frames.contents.size / ENTRY_STEP + 1, sizeof *frames.functions);
    mark_places(&frames);
    for (uint32_t i = 1; i < view->section_count; i++)
        if (view->sections[i].sh_info == section && is_relocation_table(view->sections[i].sh_type))
            check_table(&frames, i);
    return frames;
}

void
check_frames(const struct door *door, uint32_t section)
{
    read_frames(door, section);
}

/* A frame of SASS without instructions is that of a function that was described before. */
static bool
is_said_otherwise(struct arena *arena, const struct code_map *map, struct bytes mercury,
                  struct bytes sass)
{
    if (sass.size <= EMPTY_FRAME || read_u64(sass.at + FUNCTION))
        return false;
    struct arena_mark before = arena_mark(arena);
    struct frame_events events = {.map = map};
    frame_events_add(&events, arena, mercury);
    bool is_same = frame_events_fit(&events, sass);
    arena_release(arena, before);
    return !is_same;
}

/* Of several frames of one function, as relocatable links leave them, the first has what all say. */
static const uint8_t *
count_by_function(const struct frames *frames)
{
    const struct elf_view *view = frames->door->view;
    uint8_t *counts = arena_array(frames->door->arena, view->symbol_count, sizeof *counts);

    for (uint64_t at = 0, size; (size = frame_record_size(frames->contents, at)); at += size) {
        uint32_t function = frames->functions[(at + FUNCTION) / ENTRY_STEP];
        if (counts[function] < 2)
            counts[function]++;
    }
    return counts;
}

/* The instructions of the function that an entry describes; NULL: they are not known. */
static const struct code_map *
map_of_entry(const struct frames *frames, uint64_t at, struct code_map *const *maps)
{
    const struct elf_view *view = frames->door->view;
    uint32_t function = frames->functions[(at + FUNCTION) / ENTRY_STEP];
    uint32_t text = function ? elf_symbol_section(view, function) : 0;

    return text && text < view->section_count ? maps[text] : NULL;
}

static struct bytes
frame_at(struct bytes section, uint64_t at)
{
    return (struct bytes){section.at + at, frame_record_size(section, at)};
}

/* Nearly always: no more than one walk is needed. */
static bool
are_plainly_same(const struct frames *frames, struct bytes sass, struct code_map *const *maps)
{
    uint64_t at = 0, there = 0;

    while (at < frames->contents.size) {
        struct bytes one = frame_at(frames->contents, at), other = frame_at(sass, there);

        if (!is_plainly_same_frame(map_of_entry(frames, at, maps), one, other))
            return false;
        at += one.size;
        there += other.size;
    }
    return there == sass.size;
}

/* Are they at the same instructions? There are as many in both views. */
static void
check_frame_places(const struct frames *frames, struct bytes sass, struct code_map *const *maps)
{
    const struct door *door = frames->door;
    const uint8_t *counts = count_by_function(frames);
    uint64_t at = 0, there = 0;

    while (at < frames->contents.size) {
        struct bytes one = frame_at(frames->contents, at), other = frame_at(sass, there);
        const struct code_map *map = map_of_entry(frames, at, maps);

        if (!one.size || !other.size)
            return;
        if (map && counts[frames->functions[(at + FUNCTION) / ENTRY_STEP]] == 1 &&
            is_said_otherwise(door->arena, map, one, other) && !door->view->is_of_linker)
            REFUSE_CONTENTS(door, frames->section, at, "the other view says something else");
        at += one.size;
        there += other.size;
    }
}

bool
check_mercury_frames(const struct door *door, uint32_t section, struct code_map *const *maps)
{
    struct bytes sass = elf_contents(door->view, door->view->twins[section]);
    bool is_whole = door->view->header.e_type == ET_CUDA_WHOLE_PROGRAM; /* has other relocations */
    struct frames frames = {.contents = elf_contents(door->view, section)};
    bool as_many = true;

    if (!is_whole) {
        frames = read_frames(door, section);
        if (are_plainly_same(&frames, sass, maps))
            return true;
    }
    size_t place = differing_frame(frames.contents, sass, &as_many);
    if (place != SIZE_MAX && !door->view->is_of_linker)
        REFUSE_CONTENTS(door, section, place, "the other view says something else");
    if (!is_whole && sass.at && as_many)
        check_frame_places(&frames, sass, maps);
    return as_many;
}
