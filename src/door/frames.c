#include "door/check.h"

#include "cubin/reloc_table.h"

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
    if (type == R_CUDA_UNUSED_CLEAR64) /* the size, unless the function goes */
        return PLACE_CODE_SIZE;
    if (type != R_CUDA_64)
        return PLACE_NONE;
    return symbol_type == STT_SECTION ? PLACE_CIE : PLACE_FUNCTION;
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
    bool has_mercury = view->header.e_flags & CUBIN_FLAG_MERCURY;

    for (size_t at = 0; at + step <= entries.size; at += step) {
        uint64_t offset = read_u64(entries.at + at);
        uint32_t symbol = read_u32(entries.at + at + 12);
        uint8_t *place = offset < frames->contents.size && offset % WORD == 0
                             ? &frames->places[offset / WORD]
                             : NULL;
        unsigned type =
            symbol < view->symbol_count ? ELF64_ST_TYPE(view->symbols[symbol].st_info) : 0;

        enum place wanted = place_of(read_u32(entries.at + at + 8), type);

        if (!place || !is_place(*place, wanted) || !names_fit(frames, *place, offset, symbol))
            REFUSE_CONTENTS(frames->door, table, at, "no relocation has its place at 0x%llx",
                            (unsigned long long)offset);
        if (*place == PLACE_FUNCTION && has_mercury && symbol < view->symbol_count &&
            !is_as_long(frames, offset, symbol))
            REFUSE_CONTENTS(frames->door, frames->section, offset, "'%s' has another size",
                            elf_symbol_name(view, symbol));
        *place = PLACE_NONE;
    }
}

void
check_frames(const struct door *door, uint32_t section)
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
}
