#include "mercury/debug.h"

#include "mercury/leaf_kernels.h"
#include "merge/merge.h"

/*
 * A record of .debug_frame is a mark of the 64-bit form, a length, and that many bytes. Those that
 * describe a function (FDE) begin with the offset of the record of what they have in common with
 * others (CIE), then have the function's address and size; a CIE has all ones there.
 */
enum {
    LENGTH_AT = 4,
    CIE_POINTER_AT = 12,
    FUNCTION_AT = 20,
    LENGTH_OF_CODE_AT = 28,
    CODE_AT = 36,
    EMPTY_FDE = 40, /* one without instructions */
};

#define MARK_64BIT UINT32_MAX
#define IS_CIE UINT64_MAX

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

static uint64_t
frame_size(struct bytes bytes, uint64_t at)
{
    if (!bytes_hold(bytes, at, FUNCTION_AT) || read_u32(bytes.at + at) != MARK_64BIT)
        return 0;
    uint64_t length = read_u64(bytes.at + at + LENGTH_AT);
    bool is_cie = read_u64(bytes.at + at + CIE_POINTER_AT) == IS_CIE;
    uint64_t least = (is_cie ? FUNCTION_AT : CODE_AT) - CIE_POINTER_AT;

    if (length < least || !bytes_hold(bytes, at + CIE_POINTER_AT, length))
        return 0;
    return CIE_POINTER_AT + length;
}

static frame_list
read_frames(const struct debug_part *part, uint32_t input, struct bytes bytes)
{
    frame_list frames = {0};
    uint32_t cie = UINT32_MAX;

    for (uint64_t at = 0, size; at < bytes.size; at += size) {
        size = frame_size(bytes, at);
        if (size && read_u64(bytes.at + at + CIE_POINTER_AT) == IS_CIE)
            cie = frames.count;
        if (!size || cie == UINT32_MAX)
            DAMAGED(part->elfw, part->object, input, at, "the frame is damaged");
        array_push(&frames, part->elfw->arena,
                   ((struct frame){.offset = at, .size = size, .cie = cie}));
    }
    return frames;
}

/* Which frames stay: those of functions, and what they share with others. */
static void
mark_frames(struct debug_part *part, const struct place_index *places, frame_list *frames)
{
    for (uint32_t i = 0; i < frames->count; i++) {
        struct frame *frame = &frames->at[i];
        uint32_t place = first_place(places, frame->offset + FUNCTION_AT);

        if (frame->cie == i || place == places->count ||
            read_u64(place_entry(places, place)) != frame->offset + FUNCTION_AT)
            continue;
        uint32_t symbol = (uint32_t)(read_u64(place_entry(places, place) + 8) >> 32);
        frame->function = described_function(part, symbol);
        if (!frame->function)
            continue;
        frame->stays = frames->at[frame->cie].stays = true;
        frame->is_repeated =
            part->seen[frame->function] ||
            part->object->symbols[symbol] != elfw_text_symbol(part->elfw, frame->function);
        frames->at[frame->cie].is_repeated = frame->is_repeated;
        part->seen[frame->function] = true;
    }
}

/* Where a place of the code is said: an opcode, and how far it is from the last one in words. */
enum { ADVANCE = 4, ADVANCE_SIZE = 5, CODE_UNIT = 4 };

/* Operands of the other opcodes that frames of kernels without calls have: numbers of 7 bits to
   the byte. */
static const uint8_t frame_operands[] = {[0x0c] = 2, [0x0d] = 1, [0x0e] = 1};

/* The frame of a shortened kernel: its places move. */
static void
move_frame(const struct function *function, uint8_t *frame, size_t size)
{
    uint64_t place = 0, written = 0;
    size_t at = CODE_AT;

    write_u64(frame + LENGTH_OF_CODE_AT,
              moved_place(function, read_u64(frame + LENGTH_OF_CODE_AT)));
    while (at < size) {
        uint8_t opcode = frame[at];

        if (opcode == ADVANCE && at + ADVANCE_SIZE <= size) {
            place += (uint64_t)read_u32(frame + at + 1) * CODE_UNIT;
            uint64_t moved = moved_place(function, place);
            write_u32(frame + at + 1, (uint32_t)((moved - written) / CODE_UNIT));
            written = moved;
            at += ADVANCE_SIZE;
            continue;
        }
        if (opcode >= sizeof frame_operands || (opcode && !frame_operands[opcode]))
            return;
        at++;
        for (unsigned i = frame_operands[opcode]; i > 0; i--)
            do {
            } while (at < size && frame[at++] >= 0x80);
    }
}

static uint64_t
copy_frame(uint8_t *to, const struct debug_part *part, const struct frame *frame)
{
    const struct function *function = elfw_function(part->elfw, frame->function);

    memcpy(to, part->bytes.at + frame->offset, frame->size);
    if (function->shift)
        move_frame(function, to, frame->size);
    return frame->size;
}

/* nvlink describes a text once, under the first of its names; what comes again keeps the form of mercury, without
   instructions. */
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

static struct bytes
copy_frames(const struct debug_part *part, frame_list *frames)
{
    uint32_t mercury_input = part->object->elf.twins[part->input];
    struct bytes mercury = elf_contents(&part->object->elf, mercury_input);
    frame_list there = read_frames(part, mercury_input, mercury);
    uint8_t *copy = arena_alloc(part->elfw->arena, part->bytes.size + mercury.size + 1);
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

/* The frame that holds the offset; NULL: none does. */
static const struct frame *
frame_at(const frame_list *frames, uint64_t offset)
{
    uint32_t low = 0, high = frames->count;

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

/* Only the function's address is still open: the frame finds its CIE already, and its function, which
   stays, has the length that it says. */
static struct bytes
copy_entries(const struct debug_part *part, const frame_list *frames)
{
    struct bytes entries = part->entries;
    uint8_t *copy = arena_alloc(part->elfw->arena, entries.size + 1);
    size_t size = 0;

    for (size_t at = 0; at < entries.size; at += sizeof(Elf64_Rela)) {
        uint64_t offset = read_u64(entries.at + at);
        const struct frame *frame = frame_at(frames, offset);

        if (!frame || !frame->stays || offset != frame->offset + FUNCTION_AT)
            continue;
        memcpy(copy + size, entries.at + at, sizeof(Elf64_Rela));
        write_u64(copy + size, frame->new_offset + FUNCTION_AT);
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
