#include "door/frames.h"

#include "cubin/reloc_entry.h"
#include "mercury/frame_events.h"

/*
 * Frames of what a relocatable link wrote. In mercury they are those of all inputs; those of functions
 * that are gone have no relocation there, and are not in SASS. SASS describes each text once, where
 * mercury has the first of its frames, by what all of them say. Every other frame of a text, and those
 * under a name that was not its first, are headers of mercury without instructions.
 */

/* An entry that both views have. */
struct entry {
    uint64_t at;
    struct bytes bytes;
    uint32_t function; /* 0: it is a CIE */
    uint32_t next;     /* the next one that describes the same text by its own name, 0: none */
};

struct entries {
    struct entry *at;
    uint32_t count;
};

/* Of both views, and per text of mercury the first entry that describes it, by numbers from 1 on. */
struct linked {
    const struct frames *mercury;
    struct entries entries, sass;
    uint32_t *first_of_text;
    struct code_map *const *maps;
};

#define REFUSE_ENTRY(linked, entry)                                                                \
    REFUSE_CONTENTS((linked)->mercury->door, (linked)->mercury->section, (entry)->at,              \
                    "the other view says something else")

static struct entries
make_entries(const struct door *door, struct bytes contents)
{
    uint64_t end = 0;
    uint32_t count = frame_record_count(contents, &end);

    return (struct entries){.at =
                                arena_array(door->arena, (size_t)count + 1, sizeof(struct entry))};
}

static void
add_entry(struct entries *entries, struct bytes contents, uint64_t at, uint32_t function)
{
    entries->at[entries->count++] =
        (struct entry){.at = at, .bytes = frame_at(contents, at), .function = function};
}

/* Are all of its operations known? Behind them there is padding. */
static bool
is_readable(struct bytes frame)
{
    size_t at = CODE_AT, size = 0;

    while (at < frame.size && (size = frame_opcode_size(frame, at)))
        at += size;
    return at == frame.size;
}

/* What frames of SASS have in common stands before them, and is found already. In mercury a second
   link leaves what the first one found. */
static void
check_common(const struct frames *mercury, struct bytes contents, uint64_t at, uint64_t cie)
{
    if (read_u64(contents.at + at + CIE_POINTER_AT) != cie)
        REFUSE_CONTENTS(mercury->door, mercury->section, at, "the frame is none of its CIE's");
}

/* What SASS has, too: functions with a relocation, and a CIE with such a function, or alone. */
static struct entries
read_mercury_entries(const struct frames *frames)
{
    struct bytes contents = frames->contents;
    struct entries entries = make_entries(frames->door, contents);
    uint64_t cie = 0;
    bool has_cie = false, is_empty = true; /* one that waits for functions, and had none so far */

    for (uint64_t at = 0, size; (size = frame_record_size(contents, at)); at += size) {
        if (!frame_record_is_cie(contents, at) && !is_readable(frame_at(contents, at)))
            REFUSE_CONTENTS(frames->door, frames->section, at, "an operation that is not known");
        if (frame_record_is_cie(contents, at)) {
            if (has_cie && is_empty)
                add_entry(&entries, contents, cie, 0);
            cie = at;
            has_cie = is_empty = true;
            continue;
        }
        is_empty = false;
        uint32_t function = frame_function(frames, at);
        if (!function)
            continue;
        if (has_cie)
            add_entry(&entries, contents, cie, 0);
        has_cie = false;
        add_entry(&entries, contents, at, function);
    }
    if (has_cie && is_empty)
        add_entry(&entries, contents, cie, 0);
    return entries;
}

static struct entries
read_sass_entries(const struct frames *mercury, struct bytes contents)
{
    struct entries entries = make_entries(mercury->door, contents);
    uint64_t cie = 0;

    for (uint64_t at = 0, size; (size = frame_record_size(contents, at)); at += size) {
        if (frame_record_is_cie(contents, at))
            cie = at;
        else
            check_common(mercury, contents, at, cie);
        add_entry(&entries, contents, at, 0);
    }
    return entries;
}

/* Entries of the table stand in any order. */
static void
name_functions(struct entries *entries, struct arena *arena, struct bytes contents,
               struct bytes table)
{
    enum { STEP = sizeof(Elf64_Rela), SMALLEST = 32 };
    uint32_t *functions = arena_array(arena, contents.size / SMALLEST + 1, sizeof *functions);

    for (size_t at = 0; at + STEP <= table.size; at += STEP) {
        uint64_t offset = entry_offset(table.at + at);
        if (offset < contents.size)
            functions[offset / SMALLEST] = entry_symbol(table.at + at);
    }
    for (uint32_t i = 0; i < entries->count; i++)
        if (!frame_record_is_cie(contents, entries->at[i].at))
            entries->at[i].function = functions[(entries->at[i].at + FUNCTION_AT) / SMALLEST];
}

static uint32_t
text_of(const struct elf_view *view, uint32_t function)
{
    uint32_t text = elf_symbol_section(view, function);
    return text < view->section_count ? text : 0;
}

/* What describes a text under its own name, and not only a part of it. */
static void
chain_by_text(struct linked *linked)
{
    const struct elf_view *view = linked->mercury->door->view;
    struct arena *arena = linked->mercury->door->arena;
    uint32_t *last = arena_array(arena, view->section_count, sizeof *last);

    linked->first_of_text = arena_array(arena, view->section_count, sizeof *linked->first_of_text);
    for (uint32_t i = 0; i < linked->entries.count; i++) {
        const struct entry *entry = &linked->entries.at[i];
        uint32_t text = entry->function ? text_of(view, entry->function) : 0;

        if (!text || elf_text_function(view, text) != entry->function ||
            read_u64(entry->bytes.at + FUNCTION_AT))
            continue;
        if (last[text])
            linked->entries.at[last[text] - 1].next = i + 1;
        else
            linked->first_of_text[text] = i + 1;
        last[text] = i + 1;
    }
}

/* ---- what entries say ---- */

/* The head of mercury without instructions. */
static bool
is_empty_form(struct bytes mercury, struct bytes sass)
{
    if (sass.size != EMPTY_FDE ||
        memcmp(mercury.at + FUNCTION_AT, sass.at + FUNCTION_AT, CODE_AT - FUNCTION_AT) != 0)
        return false;
    for (size_t at = CODE_AT; at < sass.size; at++)
        if (sass.at[at])
            return false;
    return true;
}

/* Is each place that a frame goes to that of an instruction? */
static bool
names_instructions(const struct code_map *map, struct bytes mercury)
{
    uint32_t place = 0;

    for (size_t at = CODE_AT; at < mercury.size; at += frame_opcode_size(mercury, at)) {
        if (mercury.at[at] != FRAME_ADVANCE)
            continue;
        place += read_u32(mercury.at + at + 1);
        if (!code_at(map, place))
            return false;
    }
    return true;
}

/* All frames of the text together. */
static bool
is_joined(const struct linked *linked, uint32_t first, const struct code_map *map,
          struct bytes sass)
{
    const struct door *door = linked->mercury->door;
    const struct entry *entry = &linked->entries.at[first - 1];
    struct arena_mark before = arena_mark(door->arena);
    struct frame_events events = {.map = map};

    for (uint32_t i = first; i; i = linked->entries.at[i - 1].next)
        frame_events_add(&events, door->arena, linked->entries.at[i - 1].bytes);
    bool fits = frame_events_fit(&events, sass);
    arena_release(door->arena, before);
    return fits && read_u64(sass.at + LENGTH_OF_CODE_AT) ==
                       door->view->sass_symbols[entry->function].st_size;
}

/* The only one of the text. */
static bool
is_same_alone(const struct linked *linked, const struct entry *entry, const struct code_map *map,
              struct bytes sass)
{
    bool as_many;

    return names_instructions(map, entry->bytes) &&
           is_same_frame(linked->mercury, entry->function, map, entry->bytes, sass) &&
           differing_frame(entry->bytes, sass, &as_many) == SIZE_MAX;
}

static bool
is_same_function(const struct linked *linked, uint32_t number, struct bytes sass)
{
    const struct elf_view *view = linked->mercury->door->view;
    const struct entry *entry = &linked->entries.at[number];
    const struct code_map *map = map_of_function(linked->mercury, entry->function, linked->maps);
    uint32_t text = text_of(view, entry->function);
    bool is_first = text && linked->first_of_text[text] == number + 1;

    if (!map || read_u64(entry->bytes.at + FUNCTION_AT) || is_empty_form(entry->bytes, sass))
        return true;
    if (!is_first)
        return false;
    return entry->next ? is_joined(linked, number + 1, map, sass)
                       : is_same_alone(linked, entry, map, sass);
}

/* ---- all of them ---- */

static void
check_entry(const struct linked *linked, uint32_t number)
{
    const struct entry *mercury = &linked->entries.at[number], *sass = &linked->sass.at[number];
    bool is_same = mercury->function == sass->function;

    if (is_same && mercury->function)
        is_same = is_same_function(linked, number, sass->bytes);
    else if (is_same)
        is_same = is_plainly_same_frame(NULL, mercury->bytes, sass->bytes);
    if (!is_same)
        REFUSE_ENTRY(linked, mercury);
}

bool
check_linked_frames(const struct frames *mercury, struct bytes sass, struct bytes sass_table,
                    struct code_map *const *maps)
{
    const struct door *door = mercury->door;
    struct linked linked = {.mercury = mercury, .maps = maps};
    uint64_t end = 0;

    linked.entries = read_mercury_entries(mercury);
    linked.sass = read_sass_entries(mercury, sass);
    name_functions(&linked.sass, door->arena, sass, sass_table);
    if (linked.entries.count != linked.sass.count)
        REFUSE_CONTENTS(door, mercury->section, 0, "%u frames, and %u in the other view",
                        linked.entries.count, linked.sass.count);
    chain_by_text(&linked);
    for (uint32_t i = 0; i < linked.entries.count; i++)
        check_entry(&linked, i);
    return frame_record_count(mercury->contents, &end) == linked.sass.count;
}
