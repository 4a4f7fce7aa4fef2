#include "door/frames.h"

#include "mercury/frame_events.h"

/* A function begins and ends at the same instructions in both views; behind the last there is padding in
   SASS. */
static bool
has_same_ends(const struct code_map *map, struct bytes mercury, struct bytes sass,
              uint64_t size_of_text)
{
    uint64_t begin = read_u64(mercury.at + FUNCTION_AT),
             begin_there = read_u64(sass.at + FUNCTION_AT);
    uint64_t end = begin + read_u64(mercury.at + LENGTH_OF_CODE_AT),
             end_there = begin_there + read_u64(sass.at + LENGTH_OF_CODE_AT);

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
    if (sass.size <= EMPTY_FDE)
        return false;
    struct arena_mark before = arena_mark(arena);
    struct frame_events events = {.map = map,
                                  .mercury_base = (uint32_t)read_u64(mercury.at + FUNCTION_AT),
                                  .sass_base = (uint32_t)read_u64(sass.at + FUNCTION_AT)};
    frame_events_add(&events, arena, mercury);
    bool is_same = frame_events_fit(&events, sass);
    arena_release(arena, before);
    return !is_same;
}

static bool
describes_inner(struct bytes frame)
{
    return read_u64(frame.at + FUNCTION_AT) != 0;
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

const struct code_map *
map_of_function(const struct frames *frames, uint32_t function, struct code_map *const *maps)
{
    const struct elf_view *view = frames->door->view;
    uint32_t text = function ? elf_symbol_section(view, function) : 0;

    return text && text < view->section_count ? maps[text] : NULL;
}

bool
is_same_at(const struct frames *frames, uint32_t function, struct bytes mercury, struct bytes sass,
           struct code_map *const *maps)
{
    const struct code_map *map = map_of_function(frames, function, maps);

    return is_plainly_same_frame(map, mercury, sass) ||
           (says_same_frame(mercury, sass) &&
            (!map || is_same_frame(frames, function, map, mercury, sass)));
}

/* Nearly always: no more than one walk is needed. */
static bool
are_all_same(const struct frames *frames, struct bytes sass, struct code_map *const *maps)
{
    uint64_t at = 0, there = 0;

    while (sass.at && at < frames->contents.size) {
        struct bytes one = frame_at(frames->contents, at), other = frame_at(sass, there);

        if (!is_same_at(frames, frame_function(frames, at), one, other, maps))
            return false;
        at += one.size;
        there += other.size;
    }
    return at == frames->contents.size && there == sass.size;
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

        if (!one.size || !other.size)
            return;
        uint32_t function = frame_function(frames, at);
        const struct code_map *map = map_of_function(frames, function, maps);
        if (map && (counts[function] == 1 || describes_inner(one)) &&
            !is_same_frame(frames, function, map, one, other) && !door->view->is_of_linker)
            REFUSE_CONTENTS(door, frames->section, at, "the other view says something else");
        at += one.size;
        there += other.size;
    }
}

/* Both views may say alike what no tool says. Most entries say what one of their kind before them says,
   a CIE all through, others behind what relocations fill in. */
static void
check_opcodes(const struct frames *frames)
{
    struct bytes known[2] = {{0}};

    for (uint64_t at = 0, size; (size = frame_record_size(frames->contents, at)); at += size) {
        struct bytes entry = {frames->contents.at + at, size};
        bool is_cie = frame_record_is_cie(frames->contents, at);
        size_t head = is_cie ? 0 : CODE_AT;
        if (known[is_cie].size == size &&
            !memcmp(known[is_cie].at + head, entry.at + head, size - head))
            continue;
        size_t odd = find_odd_opcode(entry);
        if (odd)
            REFUSE_CONTENTS(frames->door, frames->section, at + odd,
                            "no tool says that of a frame");
        known[is_cie] = entry;
    }
}

/* False: mercury has more frames. */
static bool
compare_frames(const struct frames *frames, uint32_t table, struct code_map *const *maps)
{
    const struct door *door = frames->door;
    const struct elf_view *view = door->view;
    struct bytes sass = elf_contents(view, view->twins[frames->section]);
    struct bytes sass_table = table ? elf_contents(view, view->twins[table]) : (struct bytes){0};
    bool is_whole = view->header.e_type == ET_CUDA_WHOLE_PROGRAM; /* has inner functions */
    bool as_many = true;

    if (frames->is_linked)
        return check_linked_frames(frames, sass, sass_table, maps);
    if (!is_whole && are_all_same(frames, sass, maps))
        return true;
    size_t place = differing_frame(frames->contents, sass, &as_many);
    if (place != SIZE_MAX && !view->is_of_linker)
        REFUSE_CONTENTS(door, frames->section, place, "the other view says something else");
    if (sass.at && as_many)
        check_frame_places(frames, sass, maps);
    return as_many;
}

bool
check_mercury_frames(const struct door *door, uint32_t section, uint32_t table,
                     struct code_map *const *maps)
{
    struct frames frames = unread_frames(door, section);

    if (are_plain_frames(&frames, table, maps))
        return true;
    check_entries_of_frames(door, section);
    frames = read_frames(door, section);
    bool as_many = compare_frames(&frames, table, maps);
    check_opcodes(&frames);
    return as_many;
}
