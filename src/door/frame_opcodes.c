#include "door/frames.h"

/*
 * What tools say in frames for mercury: few of DWARF's opcodes, each register as a number of four bytes, whose
 * last has the kind of it, offsets as numbers of 32 bits, and at the end less than eight bytes of zeroes. A CIE begins with its version,
 * no augmentation, the units of distances and of offsets, and the register of the return address; for
 * kernels there is none.
 */
enum { VERSION = 3, UNIT_OF_OFFSETS = 0x7c, RETURN_AT = 24, REGISTER_SIZE = 4, LONGEST_NUMBER = 5 };
enum { OF_CIE = 1, OF_FDE = 2 };

/* What follows the registers of an opcode. */
enum operand { NOTHING, NUMBER, PLACE_OF_REGISTER, PLACE_OF_CALLER };

/* But for those that advance, which may be any. */
static const struct frame_opcode {
    uint8_t entries, registers, operand;
} opcodes[] = {
    [0x05] = {OF_FDE, 1, NUMBER},
    [0x06] = {OF_FDE, 1, NOTHING},
    [0x07] = {OF_CIE, 1, NOTHING},
    [0x08] = {OF_CIE, 1, NOTHING},
    [0x09] = {OF_FDE, 2, NOTHING},
    [0x0c] = {OF_CIE | OF_FDE, 1, NUMBER},
    [0x10] = {OF_FDE, 1, PLACE_OF_REGISTER},
    [0x16] = {OF_CIE, 1, PLACE_OF_CALLER},
};

/* Is there the number of a register, in its longest form? */
static bool
is_register(const uint8_t *at)
{
    static const bool kinds[0x80] = {
        [0x08] = true, [0x10] = true, [0x28] = true, [0x48] = true, [0x58] = true,
    };

    return at[0] >= 0x80 && (at[1] & 0xfc) == 0x80 && at[2] == 0x80 && at[3] < sizeof kinds &&
           kinds[at[3]];
}

/* Expressions have their size before them: a register and an offset; or an address, and that of a
   register which is added. */
static bool
is_operand(enum operand operand, struct bytes rest)
{
    enum { SMALLEST = 7, REGISTER_AND_OFFSET = 0x92, ADDRESS = 3, REGISTER_AT = 2 };

    switch (operand) {
    case NOTHING:
        return !rest.size;
    case NUMBER:
        return rest.size <= LONGEST_NUMBER;
    case PLACE_OF_REGISTER:
        return rest.size >= SMALLEST && rest.at[1] == REGISTER_AND_OFFSET &&
               is_register(rest.at + REGISTER_AT);
    case PLACE_OF_CALLER:
        return rest.size >= SMALLEST && rest.at[1] == ADDRESS;
    }
    return false;
}

static size_t
written_size(struct bytes entry, size_t at, unsigned kind)
{
    const struct frame_opcode *opcode =
        entry.at[at] < COUNT_OF(opcodes) ? &opcodes[entry.at[at]] : NULL;
    size_t size = opcode && opcode->entries & kind ? frame_opcode_size(entry, at) : 0;
    size_t registers = opcode ? (size_t)opcode->registers * REGISTER_SIZE : 0;

    if (!size || size < 1 + registers)
        return 0;
    for (size_t i = 0; i < registers; i += REGISTER_SIZE)
        if (!is_register(entry.at + at + 1 + i))
            return 0;
    struct bytes rest = {entry.at + at + 1 + registers, size - 1 - registers};
    return is_operand(opcode->operand, rest) ? size : 0;
}

size_t
frame_written_size(struct bytes fde, size_t at)
{
    return written_size(fde, at, OF_FDE);
}

/* Where the opcodes of a CIE begin; 0: its head is none that tools write. */
static size_t
opcodes_of_cie(struct bytes entry)
{
    static const uint8_t no_return[] = {0xff, 0xff, 0xff, 0xff, 0x0f};
    const uint8_t *head = entry.at + FUNCTION_AT, *address = entry.at + RETURN_AT;

    if (head[0] != VERSION || head[1] != 0 || (head[2] != 1 && head[2] != 4) ||
        head[3] != UNIT_OF_OFFSETS)
        return 0;
    if (!memcmp(address, no_return, sizeof no_return))
        return RETURN_AT + sizeof no_return;
    return is_register(address) ? RETURN_AT + REGISTER_SIZE : 0;
}

size_t
find_odd_opcode(struct bytes entry)
{
    bool is_cie = read_u64(entry.at + CIE_POINTER_AT) == IS_CIE;
    size_t at = is_cie ? opcodes_of_cie(entry) : CODE_AT;

    if (!at)
        return FUNCTION_AT;
    while (at < entry.size && entry.at[at]) {
        if (!is_cie && entry.at[at] == FRAME_ADVANCE && entry.size - at >= FRAME_ADVANCE_SIZE) {
            at += FRAME_ADVANCE_SIZE; /* each second opcode is one */
            continue;
        }
        size_t size = written_size(entry, at, is_cie ? OF_CIE : OF_FDE);
        if (!size)
            return at;
        at += size;
    }
    if (entry.size - at >= sizeof(uint64_t))
        return at;
    for (size_t i = at; i < entry.size; i++)
        if (entry.at[i])
            return i;
    return 0;
}
