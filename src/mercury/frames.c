#include "mercury/debug.h"

#include "mercury/frame_events.h"
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
    struct bytes joined; /* with what others say about it; without a size: nothing */
};

typedef ARRAY(struct frame) frame_list;

static frame_list
read_frames(const struct debug_part *part, uint32_t input, struct bytes bytes, struct arena *arena)
{
    uint64_t end = 0, at = 0;
    uint32_t count = frame_record_count(bytes, &end), cie = UINT32_MAX;
    frame_list frames = {.at = arena_array(arena, count, sizeof(struct frame)), .count = count};

    for (uint32_t i = 0; i < count; i++) {
        struct frame *frame = &frames.at[i];

        frame->offset = at;
        frame->size = frame_record_size(bytes, at);
        if (frame_record_is_cie(bytes, at))
            cie = i;
        if (cie == UINT32_MAX)
            DAMAGED(part->elfw, part->object, input, at, "the frame is damaged");
        frame->cie = cie;
        at += frame->size;
    }
    if (end != bytes.size)
        DAMAGED(part->elfw, part->object, input, end, "the frame is damaged");
    return frames;
}

/* The function's symbol of the frame; 0: it is no function's. Frames are asked for in the order of
   their places: `*next` is the first entry that the one before has not passed. */
static uint32_t
frame_symbol(const struct place_index *places, const struct frame *frame, uint32_t *next)
{
    uint64_t wanted = frame->offset + FUNCTION_AT;

    while (*next < places->count && entry_offset(place_entry(places, *next)) < wanted)
        ++*next;
    if (*next == places->count || entry_offset(place_entry(places, *next)) != wanted)
        return 0;
    return entry_symbol(place_entry(places, *next));
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

/* Leaves out what an earlier, relocatable link has left of functions that are gone, and a CIE whose
   frames are all such. */
static void
drop_gone(const struct place_index *places, frame_list *frames)
{
    uint32_t count = 0, next = 0, cie = 0;

    for (uint32_t i = 0; i < frames->count; i++) {
        struct frame *frame = &frames->at[i], *own = &frames->at[frame->cie];
        bool is_cie = own == frame;
        bool is_alone = i + 1 == frames->count || frames->at[i + 1].cie == i + 1;

        frame->stays = is_cie ? is_alone : frame_symbol(places, frame, &next);
        own->stays |= frame->stays;
    }
    for (uint32_t i = 0; i < frames->count; i++) {
        struct frame frame = frames->at[i];

        if (!frame.stays)
            continue;
        cie = frame.cie == i ? count : cie;
        frame.cie = cie;
        frame.stays = false; /* that is for the output to say */
        frames->at[count++] = frame;
    }
    frames->count = count;
}

/* The frames of mercury, one for each of SASS. */
static frame_list
read_mercury_frames(const struct debug_part *part, uint32_t input, struct bytes bytes,
                    uint32_t wanted, struct arena *arena)
{
    struct debug_part mercury = {.elfw = part->elfw, .object = part->object, .bytes = bytes};
    frame_list frames = read_frames(part, input, bytes, arena);

    if (frames.count == wanted)
        return frames;
    mercury.entries = entries_of(&part->object->elf, input);
    struct place_index places = index_places(&mercury);
    drop_gone(&places, &frames);
    if (frames.count != wanted)
        DAMAGED(part->elfw, part->object, input, 0, "%u frames, and %u in the other view",
                frames.count, wanted);
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

/* The frames of an input in both views, as they came. */
struct frame_source {
    struct bytes bytes, mercury_bytes;
    frame_list frames, mercury;
};

/* A frame that describes a function. */
struct mention {
    uint32_t object, frame;
    uint32_t next;
};

/* What all inputs say about each function, in their order. */
struct frame_mentions {
    struct frame_source *sources; /* per input */
    ARRAY(struct mention) list;
    uint32_t *first, *last; /* per function, numbers from 1 */
};

/* The frames of the part, if they have been read; else NULL. */
static const struct frame_source *
known_source(const struct debug_part *part)
{
    const struct frame_source *source =
        part->mentions ? &part->mentions->sources[part->object->number] : NULL;

    return source && source->bytes.at == part->bytes.at ? source : NULL;
}

static void
note_mentions(struct frame_mentions *mentions, struct debug_part *part)
{
    struct frame_source *source = &mentions->sources[part->object->number];
    struct arena *arena = part->elfw->arena;
    struct place_index places = index_places(part);
    uint32_t mercury = part->object->elf.twins[part->input];

    source->bytes = part->bytes;
    source->frames = read_frames(part, part->input, part->bytes, arena);
    source->mercury_bytes = elf_contents(&part->object->elf, mercury);
    source->mercury =
        read_mercury_frames(part, mercury, source->mercury_bytes, source->frames.count, arena);
    uint32_t next = 0;
    for (uint32_t i = 0; i < source->frames.count; i++) {
        const struct frame *frame = &source->frames.at[i];
        uint32_t symbol = frame->cie == i ? 0 : frame_symbol(&places, frame, &next);
        uint32_t function = symbol ? mentioned_function(part, symbol) : 0;

        if (!function || describes_inner(part, frame) ||
            part->object->symbols[symbol] != elfw_text_symbol(part->elfw, function))
            continue;
        array_push(&mentions->list, arena, ((struct mention){part->object->number, i, 0}));
        if (mentions->last[function])
            mentions->list.at[mentions->last[function] - 1].next = mentions->list.count;
        else
            mentions->first[function] = mentions->list.count;
        mentions->last[function] = mentions->list.count;
    }
}

static struct frame_mentions *
find_mentions(struct debug_part *part)
{
    struct elfw *elfw = part->elfw;
    struct frame_mentions *mentions = arena_zero(elfw->arena, sizeof *mentions);

    mentions->sources = arena_array(elfw->arena, elfw->objects.count, sizeof *mentions->sources);
    mentions->first = arena_array(elfw->arena, elfw->functions.count, sizeof *mentions->first);
    mentions->last = arena_array(elfw->arena, elfw->functions.count, sizeof *mentions->last);
    for (uint32_t i = 1; i < elfw->objects.count; i++) {
        if (!part->pieces[i])
            continue;
        const struct elf_view *elf = &elfw->objects.at[i]->elf;
        uint32_t input = elfw->pieces.at[part->pieces[i]].input;
        uint32_t table = elfw->reloc_pieces.at[part->tables[i]].input;
        struct debug_part there = {
            .elfw = elfw,
            .object = elfw->objects.at[i],
            .input = input,
            .bytes = elf_contents(elf, input),
            .entries = part->tables[i] ? elf_contents(elf, table) : (struct bytes){0},
        };
        if (there.bytes.at)
            note_mentions(mentions, &there);
    }
    return mentions;
}

static struct bytes
record_of(struct bytes section, const struct frame *frame)
{
    return (struct bytes){section.at + frame->offset, frame->size};
}

/* The frame of a function whose definition was replaced; without a size: the winner has none. */
static struct bytes
join_frames(struct debug_part *part, struct bytes own, uint32_t ordinal)
{
    struct elfw *elfw = part->elfw;
    const struct function *function = elfw_function(elfw, ordinal);
    struct frame_events events = {.map = function_code_map(elfw, ordinal)};
    struct bytes winner = {0};

    if (!part->mentions)
        part->mentions = find_mentions(part);
    for (uint32_t m = part->mentions->first[ordinal]; m; m = part->mentions->list.at[m - 1].next) {
        const struct mention *mention = &part->mentions->list.at[m - 1];
        const struct frame_source *source = &part->mentions->sources[mention->object];

        if (events.map)
            frame_events_add(&events, elfw->arena,
                             record_of(source->mercury_bytes, &source->mercury.at[mention->frame]));
        if (mention->object == function->object)
            winner = record_of(source->bytes, &source->frames.at[mention->frame]);
    }
    if (!winner.size)
        return winner;
    if (!events.map)
        return frame_join(elfw->arena, function, own, winner);
    return frame_events_write(&events, elfw->arena, function, winner);
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

    if (frame->joined.size) {
        memcpy(to, frame->joined.at, frame->joined.size);
        return frame->joined.size;
    }
    memcpy(to, part->bytes.at + frame->offset, frame->size);
    if (function->shift)
        frame_move(function, to, frame->size);
    return frame->size;
}

/* nvlink describes a text once, under the first of its names; what comes again keeps the form of
   mercury, without instructions. */
static uint64_t
copy_mercury_frame(uint8_t *to, const struct debug_part *part, const struct frame *frame,
                   bool is_cie)
{
    uint32_t input = part->object->elf.twins[part->input];
    struct bytes mercury = elf_contents(&part->object->elf, input);

    if (frame_record_is_cie(mercury, frame->offset) != is_cie)
        DAMAGED(part->elfw, part->object, input, frame->offset, "the other view has another frame");
    /* NOLINTNEXTLINE(clang-analyzer-core.NonNullParamChecker): the frame was read there */
    memcpy(to, mercury.at + frame->offset, is_cie ? frame->size : CODE_AT);
    if (is_cie)
        return frame->size;
    write_u64(to + LENGTH_AT, EMPTY_FDE - CIE_POINTER_AT);
    memset(to + CODE_AT, 0, EMPTY_FDE - CODE_AT);
    return EMPTY_FDE;
}

/* Joins the frames of functions that were replaced; returns the room for all frames of the part in any
   form. */
static size_t
prepare_frames(struct debug_part *part, frame_list *frames, struct bytes mercury)
{
    size_t room = part->bytes.size + mercury.size + 1;

    for (uint32_t i = 0; i < frames->count; i++) {
        struct frame *frame = &frames->at[i];
        if (needs_winner(part, frame))
            frame->joined = join_frames(part, record_of(part->bytes, frame), frame->function);
        room += frame->joined.size;
    }
    return room;
}

/* What was made in scratch memory, of which it was not known how long it would be. */
static struct bytes
kept(const struct debug_part *part, const uint8_t *made, size_t size)
{
    return (struct bytes){memcpy(arena_alloc(part->elfw->arena, size + 1), made, size), size};
}

/* There are as many of mercury, unless the door has found more: then they are judged even where none is
   asked for. */
static frame_list
find_mercury_frames(struct debug_part *part, const frame_list *frames, struct bytes mercury)
{
    bool is_needed = part->object->elf.has_frames_alone;

    for (uint32_t i = 0; i < frames->count; i++)
        is_needed |= frames->at[i].stays && frames->at[i].is_repeated;
    if (!is_needed)
        return (frame_list){0};
    if (known_source(part))
        return known_source(part)->mercury;
    return read_mercury_frames(part, part->object->elf.twins[part->input], mercury, frames->count,
                               &part->elfw->scratch);
}

static struct bytes
copy_frames(struct debug_part *part, frame_list *frames)
{
    uint32_t mercury_input = part->object->elf.twins[part->input];
    struct bytes mercury = elf_contents(&part->object->elf, mercury_input);
    struct arena *scratch = &part->elfw->scratch;
    frame_list there = find_mercury_frames(part, frames, mercury);
    uint8_t *copy = arena_alloc(scratch, prepare_frames(part, frames, mercury));
    uint64_t size = 0;

    for (uint32_t i = 0; i < frames->count; i++) {
        struct frame *frame = &frames->at[i];

        frame->new_offset = size;
        if (frame->stays && frame->is_repeated)
            size += copy_mercury_frame(copy + size, part, &there.at[i], frame->cie == i);
        else if (frame->stays)
            size += copy_frame(copy + size, part, frame);
        if (frame->stays && frame->cie != i)
            write_u64(copy + frame->new_offset + CIE_POINTER_AT,
                      part->base + frames->at[frame->cie].new_offset);
    }
    return kept(part, copy, size);
}

static bool
holds(const struct frame *frame, uint64_t offset)
{
    return offset >= frame->offset && offset - frame->offset < frame->size;
}

/* The frame that holds the offset; NULL: none does. Entries of a frame stand together, and mostly in
   the order of frames: `last` is that of the entry before. */
static const struct frame *
frame_at(const frame_list *frames, const struct frame *last, uint64_t offset)
{
    enum { FRAME_AND_CIE = 2 };
    uint32_t low = 0, high = frames->count;
    uint32_t from = last ? (uint32_t)(last - frames->at) : high;

    for (uint32_t i = from; i < high && i <= from + FRAME_AND_CIE; i++)
        if (holds(&frames->at[i], offset))
            return &frames->at[i];
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

/* When whole programs become parts of others, nvlink loses the places of what CIEs say of functions inside
   of kernels in SASS: they go to the begin of the section, where no other entry is. */
static bool
loses_place(const struct debug_part *part, const frame_list *frames, const struct frame *frame)
{
    return frame == &frames->at[frame->cie] && object_may_have_inner(part->object) &&
           !elfw_is_final(part->elfw);
}

/* A later link finds them again in mercury, which has as many entries in the same order, and as many
   frames. It is read when they are first asked for. */
struct lost_places {
    frame_list mercury;
    struct bytes entries;
    bool are_known;
};

static void
read_lost_places(const struct debug_part *part, uint32_t frame_count, struct lost_places *lost)
{
    uint32_t section = part->object->elf.twins[part->input];
    struct bytes bytes = elf_contents(&part->object->elf, section);

    if (lost->are_known)
        return;
    lost->are_known = true;
    lost->entries = entries_of(&part->object->elf, section);
    lost->mercury = read_mercury_frames(part, section, bytes, frame_count, &part->elfw->scratch);
}

/* The frame of an entry without a place, and that place; they stay as they are if it is not found. */
static void
find_lost_place(const struct debug_part *part, const frame_list *frames, size_t entry,
                struct lost_places *lost, const struct frame **frame, uint64_t *offset)
{
    read_lost_places(part, frames->count, lost);
    if (lost->entries.size != part->entries.size)
        return;
    uint64_t there = entry_offset(lost->entries.at + entry);
    const struct frame *own = frame_at(&lost->mercury, NULL, there);
    if (!own)
        return;
    *frame = &frames->at[own - lost->mercury.at];
    *offset = (*frame)->offset + there - own->offset;
}

static struct bytes
copy_entries(const struct debug_part *part, const frame_list *frames)
{
    struct bytes entries = part->entries;
    uint8_t *copy = arena_alloc(&part->elfw->scratch, entries.size + 1);
    const struct frame *frame = NULL;
    struct lost_places lost = {0};
    size_t size = 0;

    for (size_t at = 0; at < entries.size; at += sizeof(Elf64_Rela)) {
        uint64_t offset = read_u64(entries.at + at);

        frame = frame_at(frames, frame, offset);
        if (!offset && part->object->elf.is_of_linker)
            find_lost_place(part, frames, at, &lost, &frame, &offset);
        if (!frame || !frame->stays || !stays_open(frames, frame, offset))
            continue;
        memcpy(copy + size, entries.at + at, sizeof(Elf64_Rela));
        write_u64(copy + size, loses_place(part, frames, frame)
                                   ? 0 - part->base
                                   : offset - frame->offset + frame->new_offset);
        size += sizeof(Elf64_Rela);
    }
    return kept(part, copy, size);
}

void
rebuild_frames(struct debug_part *part)
{
    if (copy_plain_frames(part))
        return;
    struct place_index places = index_places(part);
    frame_list frames = known_source(part)
                            ? known_source(part)->frames
                            : read_frames(part, part->input, part->bytes, &part->elfw->scratch);

    part->describes_code |= frames.count > 0;
    mark_frames(part, &places, &frames);
    part->bytes = copy_frames(part, &frames);
    part->entries = copy_entries(part, &frames);
}
