#include "door/frames.h"

#include <limits.h>

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

enum { INSTRUCTION = 16 };

/* ---- frames as compilers write them ---- */

/* Mostly there are less than eight bytes of padding. */
static bool
is_all_zero(struct bytes frame, size_t from)
{
    enum { WORD = sizeof(uint64_t) };
    size_t rest = frame.size - from;

    for (; rest > WORD; rest -= WORD)
        if (read_u64(frame.at + frame.size - rest))
            return false;
    return !rest || !(read_u64(frame.at + frame.size - WORD) >> (WORD - rest) * CHAR_BIT);
}

/* What holds from there on in mercury holds in SASS from where the instructions are done that the one
   before has become, or from an earlier one of these on. */
static bool
is_same_distance(const struct code_map *map, uint64_t mercury, uint64_t sass)
{
    const struct code_place *next =
        mercury <= UINT32_MAX ? code_at_both(map, (uint32_t)mercury, sass) : NULL;

    return next && next > map->places.at && sass >= next[-1].sass + INSTRUCTION &&
           sass <= next->sass && sass % INSTRUCTION == 0;
}

/* Mercury may go to a place in several steps, from one instruction to another each. */
static bool
take_steps(struct bytes mercury, size_t *at, uint64_t *place)
{
    uint32_t all = 0;

    while (*at < mercury.size && mercury.at[*at] == FRAME_ADVANCE &&
           mercury.size - *at >= FRAME_ADVANCE_SIZE) {
        uint32_t distance = read_u32(mercury.at + *at + 1);
        *place += distance;
        all |= distance;
        *at += FRAME_ADVANCE_SIZE;
    }
    return all % INSTRUCTION == 0;
}

static bool
take_step(struct bytes sass, size_t *at, uint64_t *place)
{
    if (sass.size - *at < FRAME_ADVANCE_SIZE || sass.at[*at] != FRAME_ADVANCE)
        return false;
    *place += (uint64_t)read_u32(sass.at + *at + 1) * UNIT_OF_SASS;
    *at += FRAME_ADVANCE_SIZE;
    return true;
}

/* Passes what is said of a place, where both say the same, and what tools say. */
static bool
take_said(struct bytes mercury, size_t *at, struct bytes sass, size_t *there)
{
    while (*at < mercury.size && mercury.at[*at] && mercury.at[*at] != FRAME_ADVANCE) {
        size_t size = frame_written_size(mercury, *at);

        if (!size || sass.size - *there < size ||
            memcmp(mercury.at + *at, sass.at + *there, size) != 0)
            return false;
        *at += size;
        *there += size;
    }
    return true;
}

/* The same opcodes at the same instructions, in the same order. */
static bool
is_in_step(const struct code_map *map, struct bytes mercury, struct bytes sass)
{
    size_t at = CODE_AT, there = CODE_AT;
    uint64_t place = 0, place_there = 0;

    for (;;) {
        size_t begin = at;
        uint64_t before = place;

        if (!take_steps(mercury, &at, &place))
            return false;
        if (place == before && at != begin && begin != CODE_AT) /* once more of the same place */
            return false;
        if (place != before &&
            (!take_step(sass, &there, &place_there) || !is_same_distance(map, place, place_there)))
            return false;
        size_t said = at;
        if (!take_said(mercury, &at, sass, &there))
            return false;
        if (at == said)
            break;
    }
    return place_there <= read_u64(sass.at + LENGTH_OF_CODE_AT) &&
           mercury.size - at < sizeof(uint64_t) && is_all_zero(mercury, at) &&
           is_all_zero(sass, there);
}

bool
is_plainly_same_frame(const struct code_map *map, struct bytes mercury, struct bytes sass)
{
    if (!mercury.size || !sass.size || is_cie(mercury) != is_cie(sass))
        return false;
    if (is_cie(mercury))
        return is_same_cie(mercury, sass);
    return map && !read_u64(mercury.at + FUNCTION_AT) && !read_u64(sass.at + FUNCTION_AT) &&
           is_in_step(map, mercury, sass);
}

/* ---- what frames say of their functions, place by place ---- */

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
static uint64_t
take_distance(struct frame_reader *reader)
{
    uint64_t distance = (uint64_t)read_u32(reader->frame.at + reader->at + 1) * reader->unit;

    reader->is_sound &= distance % INSTRUCTION == 0;
    reader->length += distance;
    reader->at += FRAME_ADVANCE_SIZE;
    return distance;
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

/* Goes to what SASS says next, wherever that is. */
static void
go_to_next_said(struct frame_reader *reader)
{
    const struct bytes frame = reader->frame;

    while (reader->at < frame.size) {
        if (!frame.at[reader->at])
            reader->at++;
        else if (is_at_distance(reader) && frame.size - reader->at >= FRAME_ADVANCE_SIZE)
            take_distance(reader);
        else
            break;
    }
}

static bool
says_next(const struct frame_reader *sass, const uint8_t *opcode, size_t size)
{
    return sass->frame.size - sass->at >= size && sass->frame.at[sass->at] == *opcode &&
           !memcmp(sass->frame.at + sass->at, opcode, size);
}

/* What mercury says of a place where it says something else at once is not in SASS, nor what it says of
   the beginning of a function inside of another one. */
static bool
says_the_same(struct frame_reader mercury, struct frame_reader sass)
{
    bool is_inner = read_u64(mercury.frame.at + FUNCTION_AT) != 0;
    struct frame_reader before = sass; /* when it had not said anything of this place */
    bool agrees = true;
    size_t size;

    while ((size = next_opcode(&mercury))) {
        if (is_at_distance(&mercury)) {
            if (!take_distance(&mercury))
                sass = before;
            else if (!agrees)
                return false;
            before = sass;
            agrees = true;
            continue;
        }
        if (is_inner && !mercury.length) {
            mercury.at += size;
            continue;
        }
        go_to_next_said(&sass);
        agrees &= says_next(&sass, mercury.frame.at + mercury.at, size);
        mercury.at += size;
        sass.at += agrees ? size : 0;
    }
    go_to_next_said(&sass);
    return agrees && mercury.is_sound && sass.is_sound && end_together(&mercury, &sass);
}

/* Does mercury go back to an earlier place, as where the stack pointer moves? SASS says it in the order of
   places then. */
static bool
goes_back(struct frame_reader mercury)
{
    for (size_t size; (size = next_opcode(&mercury)); mercury.at += size)
        if (is_at_distance(&mercury) && read_u32(mercury.frame.at + mercury.at + 1) > INT32_MAX)
            return true;
    return false;
}

/* A second frame of a function says nothing in SASS. */
static bool
is_same_fde(struct bytes mercury, struct bytes sass)
{
    struct frame_reader there = read_fde(sass, UNIT_OF_SASS);

    if (!read_u64(mercury.at + FUNCTION_AT) != !read_u64(sass.at + FUNCTION_AT))
        return false;
    if (goes_back(read_fde(mercury, UNIT_OF_MERCURY)))
        return true;
    bool says_nothing = !next_opcode(&there) && there.at == sass.size;
    return says_nothing || says_the_same(read_fde(mercury, UNIT_OF_MERCURY), there);
}

/* ---- all of them ---- */

bool
says_same_frame(struct bytes mercury, struct bytes sass)
{
    if (!mercury.size || !sass.size || is_cie(mercury) != is_cie(sass))
        return false;
    return is_cie(mercury) ? is_same_cie(mercury, sass) : is_same_fde(mercury, sass);
}

size_t
differing_frame(struct bytes mercury, struct bytes sass, bool *as_many)
{
    size_t at = 0, there = 0;

    while (at < mercury.size) {
        struct bytes one = {mercury.at + at, frame_record_size(mercury, at)};
        struct bytes other = {sass.at + there, frame_record_size(sass, there)};

        if (!says_same_frame(one, other))
            break;
        at += one.size;
        there += other.size;
    }
    uint64_t end = at, end_there = there;
    *as_many = frame_record_count(mercury, &end) == frame_record_count(sass, &end_there);
    if (end != mercury.size)
        return end;
    /* A relocatable link leaves frames of functions that are gone to mercury alone. */
    if (!*as_many)
        return SIZE_MAX;
    return at == mercury.size && there == sass.size ? SIZE_MAX : at;
}
