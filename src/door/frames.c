#include "door/frames.h"

#include "cubin/reloc_entry.h"
#include "cubin/reloc_table.h"

/*
 * .debug_frame is 64-bit DWARF. An entry for a function (FDE) begins with
 *
 *     u32 0xffffffff    u64 length    u64 place of its CIE    u64 function    u64 size of its code
 *
 * and the last three are what relocations fill in.
 */
enum {
    WORD = 4,
    ENTRY_STEP = 32, /* no more than the smallest */
};

/* What relocation may stand at a word of the section, and none once it did. */
enum place { PLACE_NONE, PLACE_CIE, PLACE_FUNCTION, PLACE_CODE_SIZE, PLACE_IN_CIE };

/* A CIE may have the address of a function inside another, in a -r output of a whole program. */
static void
mark_entry(struct frames *frames, size_t at, size_t end)
{
    if (read_u64(frames->contents.at + at + CIE_POINTER_AT) == IS_CIE) {
        memset(frames->places + (at + FUNCTION_AT) / WORD, PLACE_IN_CIE,
               (end - at - FUNCTION_AT) / WORD);
        return;
    }
    frames->places[(at + CIE_POINTER_AT) / WORD] = PLACE_CIE;
    frames->places[(at + FUNCTION_AT) / WORD] = PLACE_FUNCTION;
    frames->places[(at + LENGTH_OF_CODE_AT) / WORD] = PLACE_CODE_SIZE;
    frames->open += 3;
}

/* The code of an expression in a CIE whose operand is an address. */
enum { ADDRESS_FOLLOWS = 3 };

/* What relocations of a place are for, all of 8 bytes; an address in a CIE is at any byte. NULL:
   nothing. */
static uint8_t *
place_at(const struct frames *frames, uint64_t offset)
{
    if (!bytes_hold(frames->contents, offset, sizeof(uint64_t)))
        return NULL;
    uint8_t *place = &frames->places[offset / WORD];
    if (*place == PLACE_IN_CIE)
        return frames->contents.at[offset - 1] == ADDRESS_FOLLOWS ? place : NULL;
    return offset % WORD == 0 ? place : NULL;
}

/* What frames have in common begins with the version, no augmentation, and the unit in which places of code
   are counted. Where there is mercury nvlink writes it anew; of functions that lost a link leaves other units. */
static void
check_common(const struct frames *frames, size_t at)
{
    enum { SASS_HEADER = 0x7c040003, MERCURY_HEADER = 0x7c010003 };
    const struct elf_view *view = frames->door->view;
    uint32_t header = read_u32(frames->contents.at + at + FUNCTION_AT);
    uint32_t wanted = view->twins ? MERCURY_HEADER : SASS_HEADER;

    if (header != wanted && view->header.e_flags & CUBIN_FLAG_MERCURY && !view->is_of_linker)
        REFUSE_CONTENTS(frames->door, frames->section, at + FUNCTION_AT,
                        "what frames have in common begins with 0x%x", header);
}

/* Does the frame name one of those before it that say what frames have in common? */
static bool
has_common(struct bytes contents, size_t at)
{
    uint64_t common = read_u64(contents.at + at + CIE_POINTER_AT);

    return common < at && bytes_hold(contents, common, FUNCTION_AT) &&
           read_u64(contents.at + common + CIE_POINTER_AT) == IS_CIE;
}

static void
mark_places(struct frames *frames)
{
    struct bytes contents = frames->contents;
    size_t at = 0, cie = 0;

    while (at < contents.size) {
        bool holds_header = bytes_hold(contents, at, CODE_AT);
        uint64_t length = holds_header ? read_u64(contents.at + at + LENGTH_AT) : 0;

        if (!holds_header || read_u32(contents.at + at) != MARK_64BIT || length % WORD ||
            !bytes_hold(contents, at + CIE_POINTER_AT, length) || length < CODE_AT - CIE_POINTER_AT)
            REFUSE_CONTENTS(frames->door, frames->section, at, "an entry does not fit");
        mark_entry(frames, at, at + CIE_POINTER_AT + length);
        if (read_u64(contents.at + at + CIE_POINTER_AT) == IS_CIE) {
            check_common(frames, at);
            cie = at;
        } else if (frames->is_linked && !has_common(contents, at)) {
            REFUSE_CONTENTS(frames->door, frames->section, at + CIE_POINTER_AT,
                            "it has nothing in common with others");
        }
        frames->cies[at / ENTRY_STEP] = (uint32_t)cie;
        at += CIE_POINTER_AT + length;
    }
}

/* Are the frames those of a relocatable link, as it writes them? Of whole programs it leaves others. */
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
    uint64_t length = read_u64(function - FUNCTION_AT + LENGTH_AT);

    return read_u64(function) != 0 || length <= EMPTY_FDE - CIE_POINTER_AT ||
           frames->door->view->header.e_type == ET_CUDA_WHOLE_PROGRAM ||
           read_u64(function + LENGTH_OF_CODE_AT - FUNCTION_AT) ==
               frames->door->view->symbols[symbol].st_size;
}

/* Links leave relocations of what is gone. */
static bool
has_code(const struct elf_view *view, uint32_t symbol)
{
    return view->is_of_linker || (ELF64_ST_TYPE(view->symbols[symbol].st_info) == STT_FUNC &&
                                  elf_symbol_section(view, symbol) != SHN_UNDEF);
}

/* Entries belong to this section; the function of an entry is the one with whose code its size
   goes. */
static bool
names_fit(const struct frames *frames, enum place place, uint64_t offset, uint32_t symbol)
{
    uint64_t function =
        place == PLACE_CODE_SIZE ? offset - (LENGTH_OF_CODE_AT - FUNCTION_AT) : offset;
    uint32_t *named = &frames->functions[function / ENTRY_STEP];

    if (place == PLACE_CIE)
        return elf_symbol_section(frames->door->view, symbol) == frames->section;
    if (place == PLACE_IN_CIE)
        return true;
    if ((*named && *named != symbol) || !has_code(frames->door->view, symbol))
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
        return !said &&
               (!is_mercury || addend == frames->cies[(offset - CIE_POINTER_AT) / ENTRY_STEP]);
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
        bool is_cie = read_u64(entry + CIE_POINTER_AT) == IS_CIE;
        bool has_cie = is_whole ? read_u64(entry + CIE_POINTER_AT) == frames->cies[at / ENTRY_STEP]
                                : frames->places[(at + CIE_POINTER_AT) / WORD] == PLACE_NONE;
        bool has_size = is_whole || frames->places[(at + LENGTH_OF_CODE_AT) / WORD] == PLACE_NONE;

        if (!is_cie &&
            (!has_cie || !has_size || frames->places[(at + FUNCTION_AT) / WORD] != PLACE_NONE))
            REFUSE_CONTENTS(frames->door, frames->section, at,
                            "relocations of an entry are missing");
    }
}

struct frames
unread_frames(const struct door *door, uint32_t section)
{
    return (struct frames){
        .door = door, .section = section, .contents = elf_contents(door->view, section)};
}

struct frames
read_frames(const struct door *door, uint32_t section)
{
    const struct elf_view *view = door->view;
    struct frames frames = unread_frames(door, section);

    frames.is_linked = is_linked_and_understood(view);
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

uint32_t
frame_function(const struct frames *frames, uint64_t at)
{
    return frames->functions[(at + FUNCTION_AT) / ENTRY_STEP];
}
