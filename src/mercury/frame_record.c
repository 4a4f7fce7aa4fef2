#include "mercury/frame_record.h"

#include "mercury/leaf_kernels.h"

bool
frame_record_is_cie(struct bytes bytes, uint64_t at)
{
    return read_u64(bytes.at + at + CIE_POINTER_AT) == IS_CIE;
}

uint64_t
frame_record_size(struct bytes bytes, uint64_t at)
{
    if (!bytes_hold(bytes, at, FUNCTION_AT) || read_u32(bytes.at + at) != MARK_64BIT)
        return 0;
    uint64_t length = read_u64(bytes.at + at + LENGTH_AT);
    uint64_t least = (frame_record_is_cie(bytes, at) ? FUNCTION_AT : CODE_AT) - CIE_POINTER_AT;

    if (length < least || !bytes_hold(bytes, at + CIE_POINTER_AT, length))
        return 0;
    return CIE_POINTER_AT + length;
}

uint32_t
frame_record_count(struct bytes section, uint64_t *at)
{
    uint32_t count = 0;

    for (uint64_t size; (size = frame_record_size(section, *at)); *at += size)
        count++;
    return count;
}

/* Distances are words of SASS. */
enum { CODE_UNIT = 4 };

/* The other opcodes: how many operands they have, numbers of 7 bits to the byte. */
enum { UNKNOWN = 0, NONE, ONE, TWO, BLOCK }; /* a number, and a block with its length before it */

static const uint8_t frame_operands[] = {
    [0x00] = NONE, [0x05] = TWO,  [0x06] = ONE, [0x07] = ONE,   [0x08] = ONE, [0x09] = TWO,
    [0x0a] = NONE, [0x0b] = NONE, [0x0c] = TWO, [0x0d] = ONE,   [0x0e] = ONE, [0x10] = BLOCK,
    [0x11] = TWO,  [0x12] = TWO,  [0x13] = ONE, [0x16] = BLOCK,
};

static uint64_t
read_number(struct bytes frame, size_t *at)
{
    uint64_t value = 0;

    for (unsigned shift = 0; *at < frame.size; shift += 7) {
        uint8_t byte = frame.at[(*at)++];
        if (shift < 64)
            value |= (uint64_t)(byte & 0x7f) << shift;
        if (byte < 0x80)
            break;
    }
    return value;
}

size_t
frame_opcode_size(struct bytes frame, size_t at)
{
    uint8_t opcode = frame.at[at];
    size_t end = at + 1;

    if (opcode == FRAME_ADVANCE)
        return frame.size - at < FRAME_ADVANCE_SIZE ? 0 : FRAME_ADVANCE_SIZE;
    if (opcode >= sizeof frame_operands || frame_operands[opcode] == UNKNOWN)
        return 0;
    unsigned operands = frame_operands[opcode];
    for (unsigned i = operands == BLOCK ? ONE : operands; i > NONE; i--)
        read_number(frame, &end);
    if (operands == BLOCK) {
        uint64_t size = read_number(frame, &end);
        if (!bytes_hold(frame, end, size))
            return 0;
        end += size;
    }
    return end - at;
}

void
frame_move_length(const struct function *function, uint8_t *frame)
{
    uint64_t begin = read_u64(frame + FUNCTION_AT), length = read_u64(frame + LENGTH_OF_CODE_AT);
    uint64_t moved = moved_place(function, begin);

    write_u64(frame + FUNCTION_AT, moved);
    write_u64(frame + LENGTH_OF_CODE_AT, moved_place(function, begin + length) - moved);
}

void
frame_move(const struct function *function, uint8_t *frame, size_t size)
{
    uint64_t place = read_u64(frame + FUNCTION_AT), written = moved_place(function, place);
    size_t at = CODE_AT;

    frame_move_length(function, frame);
    for (size_t step; at < size && (step = frame_opcode_size((struct bytes){frame, size}, at));
         at += step) {
        if (frame[at] != FRAME_ADVANCE)
            continue;
        place += (uint64_t)read_u32(frame + at + 1) * CODE_UNIT;
        uint64_t moved = moved_place(function, place);
        write_u32(frame + at + 1, (uint32_t)((moved - written) / CODE_UNIT));
        written = moved;
    }
}

/* How much of a frame is said of the first place of its function. */
static size_t
size_at_entry(struct bytes frame)
{
    size_t at = CODE_AT;

    while (at < frame.size && frame.at[at] && frame.at[at] != FRAME_ADVANCE) {
        size_t size = frame_opcode_size(frame, at);
        if (!size)
            break;
        at += size;
    }
    return at - CODE_AT;
}

struct bytes
frame_join(struct arena *arena, const struct function *function, struct bytes loser,
           struct bytes winner)
{
    size_t at_entry = size_at_entry(winner) ? 0 : size_at_entry(loser);
    size_t size = align_up(CODE_AT + at_entry + winner.size - CODE_AT, sizeof(uint64_t));
    uint8_t *to = arena_zero(arena, size);

    memcpy(to, winner.at, CODE_AT);
    memcpy(to + CODE_AT, loser.at + CODE_AT, at_entry);
    memcpy(to + CODE_AT + at_entry, winner.at + CODE_AT, winner.size - CODE_AT);
    write_u64(to + LENGTH_AT, size - CIE_POINTER_AT);
    if (function->shift)
        frame_move(function, to, size);
    return (struct bytes){to, size};
}
