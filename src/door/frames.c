#include "door/frames.h"

#include "cubin/reloc_entry.h"
#include "cubin/reloc_table.h"
#include "mercury/frame_events.h"

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

/* A CIE may have the address of a function inside another, in a -r output of a whole program. */
static void
mark_entry(struct frames *frames, size_t at, size_t end)
{
    if (read_u64(frames->contents.at + at + CIE) == UINT64_MAX) {
        memset(frames->places + (at + FUNCTION) / WORD, PLACE_IN_CIE, (end - at - FUNCTION) / WORD);
        return;
    }
    frames->places[(at + CIE) / WORD] = PLACE_CIE;
    frames->places[(at + FUNCTION) / WORD] = PLACE_FUNCTION;
    frames->places[(at + CODE_SIZE) / WORD] = PLACE_CODE_SIZE;
    frames->open += 3;
}

/* The code of an expression in a CIE whose operand is an address. */
enum { ADDRESS_FOLLOWS = 3 };

/* What relocations of a place are for; an address in a CIE is at any byte. NULL: nothing. */
static uint8_t *
place_at(const struct frames *frames, uint64_t offset)
{
    if (!bytes_hold(frames->contents, offset, WORD))
        return NULL;
    uint8_t *place = &frames->places[offset / WORD];
    if (*place == PLACE_IN_CIE)
        return frames->contents.at[offset - 1] == ADDRESS_FOLLOWS ? place : NULL;
    return offset % WORD == 0 ? place : NULL;
}

static void
mark_places(struct frames *frames)
{
    struct bytes contents = frames->contents;
    size_t at = 0, cie = 0;

    while (at < contents.size) {
        bool holds_header = bytes_hold(contents, at, SMALLEST_ENTRY);
        uint64_t length = holds_header ? read_u64(contents.at + at + LENGTH) : 0;

        if (!holds_header || read_u32(contents.at + at + ESCAPE) != UINT32_MAX || length % WORD ||
            !bytes_hold(contents, at + CIE, length) || length < SMALLEST_ENTRY - CIE)
            REFUSE_CONTENTS(frames->door, frames->section, at, "an entry does not fit");
        mark_entry(frames, at, at + CIE + length);
        if (read_u64(contents.at + at + CIE) == UINT64_MAX)
            cie = at;
        frames->cies[at / ENTRY_STEP] = (uint32_t)cie;
        at += CIE + length;
    }
}

/* What relocatable links write is; of whole programs they leave frames that are not. */
static bool
is_linked_and_understood(const struct elf_view *view)
{
    bool has_inner = false;

    for (uint32_t i = 1; view->is_of_linker && i < view->symbol_count; i++)
        has_inner |= ELF64_ST_TYPE(view->symbols[i].st_info) == STT_FUNC &&
                     view->symbols[i].st_value && view->symbols[i].st_shndx != SHN_UNDEF;
    return view->is_of_linker && view->is_of_known_release && !has_inner &&
           view->header.e_flags & CUBIN_FLAG_MERCURY;
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
   nothing else has the form of mercury. In whole programs a frame may end where a function begins that
   is inside of its own. */
static bool
is_as_long(const struct frames *frames, uint64_t function_at, uint32_t symbol)
{
    const uint8_t *function = frames->contents.at + function_at;
    uint64_t length = read_u64(function - FUNCTION + LENGTH);

    return read_u64(function) != 0 || length <= EMPTY_FRAME - CIE ||
           frames->door->view->header.e_type == ET_CUDA_WHOLE_PROGRAM ||
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

/* What a relocation adds to is said twice in files for mercury; of the place of a CIE only mercury has the
   right one. */
static bool
is_addend(const struct frames *frames, enum place place, uint64_t offset, uint64_t addend)
{
    uint64_t said = read_u64(frames->contents.at + offset);
    bool is_mercury = frames->door->view->twins;

    if (place == PLACE_CIE)
        return !said && (!is_mercury || addend == frames->cies[(offset - CIE) / ENTRY_STEP]);
    return place == PLACE_CODE_SIZE ? !addend : addend == said;
}

static void
check_table(struct frames *frames, uint32_t table)
{
    const struct elf_view *view = frames->door->view;
    struct bytes entries = elf_contents(view, table);
    size_t step = view->sections[table].sh_entsize;
    /* Sizes of mercury are not always those of their functions. */
    bool is_for_mercury = view->header.e_flags & CUBIN_FLAG_MERCURY;
    bool says_size = !view->twins;
    bool is_strict = is_for_mercury && (frames->is_linked || !view->is_of_linker);

    for (size_t at = 0; at + step <= entries.size; at += step) {
        uint64_t offset = entry_offset(entries.at + at);
        uint32_t symbol = entry_symbol(entries.at + at);
        uint8_t *place = place_at(frames, offset);
        unsigned type =
            symbol < view->symbol_count ? ELF64_ST_TYPE(view->symbols[symbol].st_info) : 0;

        enum place wanted = place_of(entry_type(entries.at + at), type);

        bool fits = place && symbol < view->symbol_count && is_place(*place, wanted) &&
                    names_fit(frames, *place, offset, symbol);

        if (!fits && view->is_of_linker && !frames->is_linked)
            return;
        if (!fits)
            REFUSE_CONTENTS(frames->door, table, at, "no relocation has its place at 0x%llx",
                            (unsigned long long)offset);
        if (is_strict && says_size && *place == PLACE_FUNCTION &&
            !is_as_long(frames, offset, symbol))
            REFUSE_CONTENTS(frames->door, frames->section, offset, "'%s' has another size",
                            elf_symbol_name(view, symbol));
        if (is_strict && !is_addend(frames, *place, offset, entry_addend(entries.at + at)))
            REFUSE_CONTENTS(frames->door, table, at, "the addend is not what is at its place");
        frames->open -= *place != PLACE_IN_CIE;
        *place = PLACE_NONE;
    }
}

/* All places of frames that compilers write for mercury are filled in, those of whole programs except for
   what is known already. */
static void
check_rest(const struct frames *frames)
{
    const struct elf_view *view = frames->door->view;
    bool is_whole = view->header.e_type == ET_CUDA_WHOLE_PROGRAM;

    for (uint64_t at = 0, size; (size = frame_record_size(frames->contents, at)); at += size) {
        const uint8_t *entry = frames->contents.at + at;
        bool is_cie = read_u64(entry + CIE) == UINT64_MAX;
        bool has_cie = is_whole ? read_u64(entry + CIE) == frames->cies[at / ENTRY_STEP]
                                : frames->places[(at + CIE) / WORD] == PLACE_NONE;
        bool has_size = is_whole || frames->places[(at + CODE_SIZE) / WORD] == PLACE_NONE;

        if (!is_cie &&
            (!has_cie || !has_size || frames->places[(at + FUNCTION) / WORD] != PLACE_NONE))
            REFUSE_CONTENTS(frames->door, frames->section, at,
                            "relocations of an entry are missing");
    }
}

static struct frames
read_frames(const struct door *door, uint32_t section)
{
    const struct elf_view *view = door->view;
    struct frames frames = {
        .door = door,
        .section = section,
        .contents = elf_contents(view, section),
        .is_linked = is_linked_and_understood(view),
    };

    frames.places = arena_array(door->arena, frames.contents.size / WORD + 1, 1);
    frames.functions =
        arena_array(door->arena, frames.contents.size / ENTRY_STEP + 1, sizeof *frames.functions);
    frames.cies =
        arena_array(door->arena, frames.contents.size / ENTRY_STEP + 1, sizeof *frames.cies);
    mark_places(&frames);
    const Elf64_Shdr *sections = view->sections;
    for (uint32_t i = 1, count = view->section_count; i < count; i++)
        if (sections[i].sh_info == section && is_relocation_table(sections[i].sh_type))
            check_table(&frames, i);
    if (frames.open && view->header.e_flags & CUBIN_FLAG_MERCURY && !view->is_of_linker)
        check_rest(&frames);
    return frames;
}

void
check_frames(const struct door *door, uint32_t section)
{
    read_frames(door, section);
}

/* A function begins and ends at the same instructions in both views; behind the last there is padding in
   SASS. */
static bool
has_same_ends(const struct code_map *map, struct bytes mercury, struct bytes sass,
              uint64_t size_of_text)
{
    uint64_t begin = read_u64(mercury.at + FUNCTION), begin_there = read_u64(sass.at + FUNCTION);
    uint64_t end = begin + read_u64(mercury.at + CODE_SIZE),
             end_there = begin_there + read_u64(sass.at + CODE_SIZE);

    if (end > UINT32_MAX || begin > end)
        return false;
    const struct code_place *first = code_at(map, (uint32_t)begin);
    const struct code_place *behind = code_at(map, (uint32_t)end);
    if (!first || !behind || first->sass != begin_there)
        return false;
    bool is_last = behind == &map->places.at[map->places.count - 1];
    return end_there == (is_last ? size_of_text : behind->sass);
}

/* A frame of SASS without instructions is that of a function that was described before. */
static bool
is_said_otherwise(struct arena *arena, const struct code_map *map, struct bytes mercury,
                  struct bytes sass)
{
    if (sass.size <= EMPTY_FRAME)
        return false;
    struct arena_mark before = arena_mark(arena);
    struct frame_events events = {.map = map,
                                  .mercury_base = (uint32_t)read_u64(mercury.at + FUNCTION),
                                  .sass_base = (uint32_t)read_u64(sass.at + FUNCTION)};
    frame_events_add(&events, arena, mercury);
    bool is_same = frame_events_fit(&events, sass);
    arena_release(arena, before);
    return !is_same;
}

static bool
describes_inner(struct bytes frame)
{
    return read_u64(frame.at + FUNCTION) != 0;
}

/* Of several frames of one function, as relocatable links leave them, the first has what all say. */
static const uint8_t *
count_by_function(const struct frames *frames)
{
    const struct elf_view *view = frames->door->view;
    uint8_t *counts = arena_array(frames->door->arena, view->symbol_count, sizeof *counts);

    for (uint64_t at = 0, size; (size = frame_record_size(frames->contents, at)); at += size) {
        uint32_t function = frame_function(frames, at);
        bool is_inner = describes_inner((struct bytes){frames->contents.at + at, size});
        if (counts[function] < 2 && !is_inner)
            counts[function]++;
    }
    return counts;
}

bool
is_same_frame(const struct frames *frames, uint32_t function, const struct code_map *map,
              struct bytes mercury, struct bytes sass)
{
    const struct elf_view *view = frames->door->view;

    return has_same_ends(map, mercury, sass, view->sass_symbols[function].st_size) &&
           !is_said_otherwise(frames->door->arena, map, mercury, sass);
}

uint32_t
frame_function(const struct frames *frames, uint64_t at)
{
    return frames->functions[(at + FUNCTION) / ENTRY_STEP];
}

const struct code_map *
map_of_function(const struct frames *frames, uint32_t function, struct code_map *const *maps)
{
    const struct elf_view *view = frames->door->view;
    uint32_t text = function ? elf_symbol_section(view, function) : 0;

    return text && text < view->section_count ? maps[text] : NULL;
}

static const struct code_map *
map_of_entry(const struct frames *frames, uint64_t at, struct code_map *const *maps)
{
    return map_of_function(frames, frame_function(frames, at), maps);
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
        uint32_t function = frame_function(frames, at);
        if (map && (counts[function] == 1 || describes_inner(one)) &&
            !is_same_frame(frames, function, map, one, other) && !door->view->is_of_linker)
            REFUSE_CONTENTS(door, frames->section, at, "the other view says something else");
        at += one.size;
        there += other.size;
    }
}

bool
check_mercury_frames(const struct door *door, uint32_t section, uint32_t table,
                     struct code_map *const *maps)
{
    struct bytes sass = elf_contents(door->view, door->view->twins[section]);
    struct bytes sass_table =
        table ? elf_contents(door->view, door->view->twins[table]) : (struct bytes){0};
    bool is_whole = door->view->header.e_type == ET_CUDA_WHOLE_PROGRAM; /* has inner functions */
    struct frames frames = read_frames(door, section);
    bool as_many = true;

    if (frames.is_linked)
        return check_linked_frames(&frames, sass, sass_table, maps);
    if (!is_whole && are_plainly_same(&frames, sass, maps))
        return true;
    size_t place = differing_frame(frames.contents, sass, &as_many);
    if (place != SIZE_MAX && !door->view->is_of_linker)
        REFUSE_CONTENTS(door, section, place, "the other view says something else");
    if (sass.at && as_many)
        check_frame_places(&frames, sass, maps);
    return as_many;
}
