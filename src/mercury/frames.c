#include "mercury/debug.h"

#include "mercury/frame_record.h"
#include "merge/merge.h"

/* A record of an input and where it goes. */
struct frame {
    uint64_t offset, size;
    uint64_t new_offset;
    uint32_t cie;      /* the number of its CIE; its own number for one */
    uint32_t function; /* that it describes, 0: it goes */
    bool is_repeated;  /* the function was described before */
    bool stays;
};

typedef ARRAY(struct frame) frame_list;

static frame_list
read_frames(const struct debug_part *part, uint32_t input, struct bytes bytes)
{
    frame_list frames = {0};
    uint32_t cie = UINT32_MAX;

    for (uint64_t at = 0, size; at < bytes.size; at += size) {
        size = frame_record_size(bytes, at);
        if (size && read_u64(bytes.at + at + CIE_POINTER_AT) == IS_CIE)
            cie = frames.count;
        if (!size || cie == UINT32_MAX)
            DAMAGED(part->elfw, part->object, input, at, "the frame is damaged");
        array_push(&frames, part->elfw->arena,
                   ((struct frame){.offset = at, .size = size, .cie = cie}));
    }
    return frames;
}

/* The function's symbol of the frame; 0: it is no function's. Frames are asked for in the order of
   their places: `*next` is the first entry that the one before has not passed. */
static uint32_t
frame_symbol(const struct place_index *places, const struct frame *frame, uint32_t *next)
{
    uint64_t wanted = frame->offset + FUNCTION_AT;

    while (*next < places->count && read_u64(place_entry(places, *next)) < wanted)
        ++*next;
    if (*next == places->count || read_u64(place_entry(places, *next)) != wanted)
        return 0;
    return (uint32_t)(read_u64(place_entry(places, *next) + 8) >> 32);
}

/* Functions inside a kernel are places in its text. */
static bool
describes_inner(const struct debug_part *part, const struct frame *frame)
{
    return read_u64(part->bytes.at + frame->offset + FUNCTION_AT) != 0;
}

/* The relocations of a section of the input's. */
static struct bytes
entries_of(const struct elf_view *elf, uint32_t section)
{
    for (uint32_t i = 1; i < elf->section_count; i++)
        if (is_relocation_table(elf->sections[i].sh_type) && elf->sections[i].sh_info == section)
            return elf_contents(elf, i);
    return (struct bytes){0};
}

/* The frames of mercury, one for each of SASS: what an earlier, relocatable link has left of
   functions that are gone describes none. */
static frame_list
read_mercury_frames(const struct debug_part *part, uint32_t input, struct bytes bytes,
                    uint32_t wanted)
{
    struct debug_part mercury = {.elfw = part->elfw, .object = part->object, .bytes = bytes};
    frame_list frames = read_frames(part, input, bytes);
    uint32_t count = 0, next = 0;

    if (frames.count == wanted)
        return frames;
    mercury.entries = entries_of(&part->object->elf, input);
    struct place_index places = index_places(&mercury);
    for (uint32_t i = 0; i < frames.count; i++) {
        if (frames.at[i].cie != i && !frame_symbol(&places, &frames.at[i], &next))
            count = frames.at[i].cie == i - 1 && count ? count - 1 : count;
        else
            frames.at[count++] = frames.at[i];
    }
    frames.count = count;
    return frames;
}

/* Which frames stay: those of functions, and what they share with others. */
static void
mark_frames(struct debug_part *part, const struct place_index *places, frame_list *frames)
{
    uint32_t next = 0;

    for (uint32_t i = 0; i < frames->count; i++) {
        struct frame *frame = &frames->at[i];
        uint32_t symbol = frame->cie == i ? 0 : frame_symbol(places, frame, &next);

        frame->function = symbol ? mentioned_function(part, symbol) : 0;
        if (!frame->function)
            continue;
        frame->stays = frames->at[frame->cie].stays = true;
        if (describes_inner(part, frame))
            continue;
        frame->is_repeated =
            part->seen[frame->function] ||
            part->object->symbols[symbol] != elfw_text_symbol(part->elfw, frame->function);
        frames->at[frame->cie].is_repeated = frame->is_repeated;
        part->seen[frame->function] = true;
    }
}

/* The frames of an input by the symbols of their functions. */
struct frame_source {
    struct bytes bytes;
    frame_list frames;
    uint32_t *by_symbol; /* numbers of frames, from 1 */
};

static struct frame_source *
read_source(struct debug_part *part, uint32_t number)
{
    struct elfw *elfw = part->elfw;
    const struct piece *piece = &elfw->pieces.at[part->pieces[number]];
    struct debug_part winner = {
        .elfw = elfw,
        .object = elfw->objects.at[number],
        .bytes = {piece->bytes, part->pieces[number] ? piece->size : 0},
        .entries = elfw->reloc_pieces.at[part->tables[number]].entries,
    };
    struct frame_source *source = arena_alloc(elfw->arena, sizeof *source);
    struct place_index places = index_places(&winner);
    uint32_t next = 0;

    *source = (struct frame_source){.bytes = winner.bytes};
    source->frames = read_frames(&winner, piece->input, winner.bytes);
    source->by_symbol =
        arena_array(elfw->arena, winner.object->elf.symbol_count, sizeof *source->by_symbol);
    for (uint32_t i = 0; i < source->frames.count; i++)
        if (source->frames.at[i].cie != i)
            source->by_symbol[frame_symbol(&places, &source->frames.at[i], &next)] = i + 1;
    return source;
}

/* The frame with which the input whose definition won describes the function; none has no size. */
static struct bytes
winning_frame(struct debug_part *part, uint32_t ordinal)
{
    const struct function *function = elfw_function(part->elfw, ordinal);

    if (!part->frames)
        part->frames =
            arena_array(part->elfw->arena, part->elfw->objects.count, sizeof *part->frames);
    if (!part->frames[function->object])
        part->frames[function->object] = read_source(part, function->object);
    const struct frame_source *source = part->frames[function->object];
    uint32_t number = source->by_symbol[function->input_symbol];
    if (!number)
        return (struct bytes){0};
    const struct frame *frame = &source->frames.at[number - 1];
    return (struct bytes){source->bytes.at + frame->offset, frame->size};
}

/* The first frame of a function whose definition was replaced later on. */
static bool
needs_winner(const struct debug_part *part, const struct frame *frame)
{
    uint32_t winner = elfw_function(part->elfw, frame->function)->object;

    /* A function that is only referred to has no input. */
    return frame->stays && !frame->is_repeated && winner && winner != part->object->number;
}

static uint64_t
copy_frame(uint8_t *to, struct debug_part *part, const struct frame *frame)
{
    const struct function *function = elfw_function(part->elfw, frame->function);
    struct bytes own = {part->bytes.at + frame->offset, frame->size};
    struct bytes winner =
        needs_winner(part, frame) ? winning_frame(part, frame->function) : (struct bytes){0};
    uint64_t size = own.size;

    if (winner.size)
        size = frame_join(to, own, winner);
    else
        memcpy(to, own.at, own.size);
    if (function->shift)
        frame_move(function, to, size);
    return size;
}

/* nvlink describes a text once, under the first of its names; what comes again keeps the form of
   mercury, without instructions. */
static uint64_t
copy_mercury_frame(uint8_t *to, struct bytes from, const struct frame *frame, bool is_cie)
{
    memcpy(to, from.at + frame->offset, is_cie ? frame->size : CODE_AT);
    if (is_cie)
        return frame->size;
    write_u64(to + LENGTH_AT, EMPTY_FDE - CIE_POINTER_AT);
    memset(to + CODE_AT, 0, EMPTY_FDE - CODE_AT);
    return EMPTY_FDE;
}

/* Room for all frames of the part in any form. */
static size_t
frames_room(struct debug_part *part, const frame_list *frames, struct bytes mercury)
{
    size_t room = part->bytes.size + mercury.size + 1;

    for (uint32_t i = 0; i < frames->count; i++)
        if (needs_winner(part, &frames->at[i]))
            room += winning_frame(part, frames->at[i].function).size + sizeof(uint64_t);
    return room;
}

static struct bytes
copy_frames(struct debug_part *part, frame_list *frames)
{
    uint32_t mercury_input = part->object->elf.twins[part->input];
    struct bytes mercury = elf_contents(&part->object->elf, mercury_input);
    frame_list there = read_mercury_frames(part, mercury_input, mercury, frames->count);
    uint8_t *copy = arena_alloc(part->elfw->arena, frames_room(part, frames, mercury));
    uint64_t size = 0;

    if (there.count != frames->count)
        DAMAGED(part->elfw, part->object, mercury_input, 0, "%u frames, and %u in the other view",
                there.count, frames->count);
    for (uint32_t i = 0; i < frames->count; i++) {
        struct frame *frame = &frames->at[i];

        frame->new_offset = size;
        if (frame->stays && frame->is_repeated)
            size += copy_mercury_frame(copy + size, mercury, &there.at[i], frame->cie == i);
        else if (frame->stays)
            size += copy_frame(copy + size, part, frame);
        if (frame->stays && frame->cie != i)
            write_u64(copy + frame->new_offset + CIE_POINTER_AT,
                      part->base + frames->at[frame->cie].new_offset);
    }
    return (struct bytes){copy, size};
}

static bool
holds(const struct frame *frame, uint64_t offset)
{
    return offset >= frame->offset && offset - frame->offset < frame->size;
}

/* The frame that holds the offset; NULL: none does. Entries of a frame stand together: `last` is
   that of the entry before. */
static const struct frame *
frame_at(const frame_list *frames, const struct frame *last, uint64_t offset)
{
    uint32_t low = 0, high = frames->count;

    if (last && holds(last, offset))
        return last;

    while (low < high) {
        uint32_t middle = (low + high) / 2;
        const struct frame *frame = &frames->at[middle];

        if (offset < frame->offset)
            high = middle;
        else if (offset >= frame->offset + frame->size)
            low = middle + 1;
        else
            return frame;
    }
    return NULL;
}

/* Only addresses of functions are still open: the frame finds its CIE already, and its function,
   which stays, has the length that it says. In a CIE an expression may name its function. */
static bool
stays_open(const frame_list *frames, const struct frame *frame, uint64_t offset)
{
    bool is_cie = frame == &frames->at[frame->cie];
    return is_cie ? !frame->is_repeated : offset == frame->offset + FUNCTION_AT;
}

static struct bytes
copy_entries(const struct debug_part *part, const frame_list *frames)
{
    struct bytes entries = part->entries;
    uint8_t *copy = arena_alloc(part->elfw->arena, entries.size + 1);
    const struct frame *frame = NULL;
    size_t size = 0;

    for (size_t at = 0; at < entries.size; at += sizeof(Elf64_Rela)) {
        uint64_t offset = read_u64(entries.at + at);

        frame = frame_at(frames, frame, offset);
        if (!frame || !frame->stays || !stays_open(frames, frame, offset))
            continue;
        memcpy(copy + size, entries.at + at, sizeof(Elf64_Rela));
        write_u64(copy + size, offset - frame->offset + frame->new_offset);
        size += sizeof(Elf64_Rela);
    }
    return (struct bytes){copy, size};
}

void
rebuild_frames(struct debug_part *part)
{
    struct place_index places = index_places(part);
    frame_list frames = read_frames(part, part->input, part->bytes);

    part->describes_code |= frames.count > 0;
    mark_frames(part, &places, &frames);
    part->bytes = copy_frames(part, &frames);
    part->entries = copy_entries(part, &frames);
}
