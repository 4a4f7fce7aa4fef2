#include "door/check.h"

#include "mercury/frame_record.h"

/* Where a CIE says how many bytes a distance counts, a byte: words in SASS, bytes in mercury. */
enum { CIE_UNIT_AT = 22, UNIT_OF_SASS = 4, UNIT_OF_MERCURY = 1 };

static bool
is_cie(struct bytes frame)
{
    return read_u64(frame.at + CIE_POINTER_AT) == IS_CIE;
}

/* A relocatable link copies that of mercury for a function that it has described before. */
static bool
is_same_cie(struct bytes mercury, struct bytes sass)
{
    return mercury.size == sass.size && sass.size > CIE_UNIT_AT &&
           mercury.at[CIE_UNIT_AT] == UNIT_OF_MERCURY &&
           (sass.at[CIE_UNIT_AT] == UNIT_OF_SASS || sass.at[CIE_UNIT_AT] == UNIT_OF_MERCURY) &&
           !memcmp(mercury.at, sass.at, CIE_UNIT_AT) &&
           !memcmp(mercury.at + CIE_UNIT_AT + 1, sass.at + CIE_UNIT_AT + 1,
                   sass.size - CIE_UNIT_AT - 1);
}

/* ---- what frames say of their functions, place by place ---- */

enum { INSTRUCTION = 16 };

struct frame_reader {
    struct bytes frame;
    size_t at;
    uint32_t unit;   /* of its distances */
    uint64_t length; /* the sum of all distances, in bytes */
    bool is_sound;   /* distances are those of instructions */
};

static struct frame_reader
read_fde(struct bytes frame, uint32_t unit)
{
    return (struct frame_reader){.frame = frame, .at = CODE_AT, .unit = unit, .is_sound = true};
}

/* Goes to the next opcode that is no padding; its size, 0 at the end and where it is not known. */
static size_t
next_opcode(struct frame_reader *reader)
{
    while (reader->at < reader->frame.size && !reader->frame.at[reader->at])
        reader->at++;
    return reader->at == reader->frame.size ? 0 : frame_opcode_size(reader->frame, reader->at);
}

static bool
is_at_distance(const struct frame_reader *reader)
{
    return reader->frame.at[reader->at] == FRAME_ADVANCE;
}

/* From one instruction to another; 0: none. */
static uint32_t
take_distance(struct frame_reader *reader)
{
    uint32_t distance = read_u32(reader->frame.at + reader->at + 1) * reader->unit;

    reader->is_sound &= distance % INSTRUCTION == 0;
    reader->length += distance;
    reader->at += FRAME_ADVANCE_SIZE;
    return distance;
}

/* Takes what is said of one place up to `end` if the other says the same next, wherever. */
static bool
take_same(struct frame_reader *mercury, size_t end, struct frame_reader *sass)
{
    size_t size;

    while ((size = next_opcode(mercury)) && mercury->at < end) {
        size_t there;
        while ((there = next_opcode(sass)) && is_at_distance(sass))
            take_distance(sass);
        if (there != size ||
            memcmp(mercury->frame.at + mercury->at, sass->frame.at + sass->at, size))
            return false;
        mercury->at += size;
        sass->at += size;
    }
    return true;
}

/* The end of what is said of one place. */
static size_t
end_of_place(struct frame_reader reader)
{
    for (size_t size; (size = next_opcode(&reader)) && !is_at_distance(&reader);)
        reader.at += size;
    return reader.at;
}

/* What mercury says of a place where it says something else at once is not in SASS. */
static bool
skips_place(struct frame_reader reader, size_t end)
{
    reader.at = end;
    return next_opcode(&reader) && take_distance(&reader) == 0;
}

/* Both are at their end, or at an opcode that is not known: what follows cannot be compared. */
static bool
end_together(const struct frame_reader *mercury, const struct frame_reader *sass)
{
    bool is_end = mercury->at == mercury->frame.size;

    if (is_end != (sass->at == sass->frame.size))
        return false;
    return is_end ? sass->length <= read_u64(sass->frame.at + LENGTH_OF_CODE_AT)
                  : mercury->frame.at[mercury->at] == sass->frame.at[sass->at];
}

static bool
says_the_same(struct frame_reader mercury, struct frame_reader sass)
{
    while (next_opcode(&mercury)) {
        size_t end = end_of_place(mercury);

        if (skips_place(mercury, end))
            mercury.at = end;
        else if (!take_same(&mercury, end, &sass))
            return false;
        if (next_opcode(&mercury))
            take_distance(&mercury);
    }
    while (next_opcode(&sass) && is_at_distance(&sass))
        take_distance(&sass);
    return mercury.is_sound && sass.is_sound && end_together(&mercury, &sass);
}

/* A second frame of a function says nothing in SASS. */
static bool
is_same_fde(struct bytes mercury, struct bytes sass)
{
    struct frame_reader there = read_fde(sass, UNIT_OF_SASS);

    if (!read_u64(mercury.at + FUNCTION_AT) != !read_u64(sass.at + FUNCTION_AT))
        return false;
    return !next_opcode(&there) || says_the_same(read_fde(mercury, UNIT_OF_MERCURY), there);
}

/* ---- all of them ---- */

static size_t
count_frames(struct bytes section)
{
    size_t count = 0;

    for (uint64_t at = 0, size; (size = frame_record_size(section, at)); at += size)
        count++;
    return count;
}

size_t
differing_frame(struct bytes mercury, struct bytes sass)
{
    size_t at = 0, there = 0;

    /* A relocatable link leaves frames of functions that are gone to mercury alone. */
    if (count_frames(mercury) != count_frames(sass))
        return SIZE_MAX;
    while (at < mercury.size) {
        struct bytes one = {mercury.at + at, frame_record_size(mercury, at)};
        struct bytes other = {sass.at + there, frame_record_size(sass, there)};

        if (!one.size || !other.size || is_cie(one) != is_cie(other) ||
            !(is_cie(one) ? is_same_cie(one, other) : is_same_fde(one, other)))
            return at;
        at += one.size;
        there += other.size;
    }
    return there == sass.size ? SIZE_MAX : at;
}
