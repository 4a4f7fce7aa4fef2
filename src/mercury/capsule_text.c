#include "mercury/capsule_text.h"

#include "schedule/instruction.h"

/* ---- any instruction ---- */

/* Bits 92 to 104 and the last two of every instruction. */
#define RESERVED_BITS 0xc00001fff0000000u

size_t
find_reserved_bits(struct bytes text)
{
    uint64_t used = 0;

    for (size_t at = 0; at + INSTRUCTION_SIZE <= text.size; at += INSTRUCTION_SIZE)
        used |= read_u64(text.at + at + sizeof(uint64_t));
    if (!(used & RESERVED_BITS))
        return SIZE_MAX;
    for (size_t at = 0;; at += INSTRUCTION_SIZE)
        if (read_u64(text.at + at + sizeof(uint64_t)) & RESERVED_BITS)
            return at;
}

/* ---- instructions without mercury ---- */

/* The first control bit of an instruction's high word; what is below it says what it does. */
enum { FIRST_CONTROL_BIT = 41 };

static uint64_t
without_control(uint64_t high)
{
    return high & (((uint64_t)1 << FIRST_CONTROL_BIT) - 1);
}

static const struct instruction no_operation = {0x0000000000007918, 0};
static const struct instruction branch_to_itself = {0xfffffffc00fc7947, 0x0000000383ffff};

static bool
is_instruction(struct instruction given, struct instruction wanted, uint64_t control)
{
    return given.low == wanted.low && given.high == (wanted.high | control);
}

/* What follows the code: a branch to itself, and nothing up to where the next code may begin. */
static bool
is_end_of_text(const uint8_t *text, uint32_t count)
{
    static const uint64_t usual = 0x000fc00000000000; /* no scoreboards, no stall */
    struct instruction first = read_instruction(text);
    uint64_t control = first.high & usual ? usual : 0; /* some compilations have none at all */

    if (!is_instruction(first, branch_to_itself, control))
        return false;
    for (uint32_t i = 1; i < count; i++)
        if (!is_instruction(read_instruction(text + (size_t)i * INSTRUCTION_SIZE), no_operation,
                            control))
            return false;
    return true;
}

/* In between stand NOPs, which have no operands, and more rarely others. */
static bool
is_filling(const uint8_t *text, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        struct instruction one = read_instruction(text + (size_t)i * INSTRUCTION_SIZE);
        if (opcode_of(&one) == OP_NOP &&
            (one.low != no_operation.low || without_control(one.high) != no_operation.high))
            return false;
    }
    return true;
}

/* ---- instructions with a record ---- */

/* Bits of the instruction that are bits of the record: numbers of registers, immediate values. Both
   are found in the 4 bytes at `at`, behind `shift` others. */
struct field_pair {
    struct {
        uint8_t at, shift;
    } sass, record;
    bool is_in_bank; /* an offset in a bank; of parameters it does not count what is before them */
    uint32_t mask;   /* 0: there are no more fields */
};

enum { MOST_FIELDS = 5, ANY_OPCODE = 0, PARAMETERS_AT = 0x380, SLOTS = 128 };

struct record_row {
    uint32_t key; /* the first three bytes of the record, the first one highest */
    uint16_t opcode;
    struct field_pair fields[MOST_FIELDS];
};

/* Every key has a slot for itself: a compiler that warns of overridden initializers says if not. */
#define SLOT(key) ((key)*231755u >> 20 & (SLOTS - 1))
#define ROW(number, name, ...)                                                                     \
    [SLOT(number)] = {.key = number, .opcode = name, .fields = {__VA_ARGS__}}
#define OPCODE(number, name) [SLOT(number)] = {.key = number, .opcode = name}

/* The bit of the instruction, that of the record, how many. */
#define BITS(width) (uint32_t)(((uint64_t)1 << (width)) - 1)
#define FIELD(sass, record, width)                                                                 \
    {                                                                                              \
        {(sass) / 8, (sass) % 8}, {(record) / 8, (record) % 8}, false, BITS(width)                 \
    }
#define OFFSET(sass, record, width)                                                                \
    {                                                                                              \
        {(sass) / 8, (sass) % 8}, {(record) / 8, (record) % 8}, true, BITS(width)                  \
    }
/* In the last bytes of a record of 16. */
#define LATE(sass, record, width)                                                                  \
    {                                                                                              \
        {(sass) / 8, (sass) % 8}, {12, (record)-96}, false, BITS(width)                            \
    }

/* Short records only say what the opcode is: the rest is in SASS alone. */
/* clang-format off */
static const struct record_row rows[SLOTS] = {
    ROW(0x010b04, ANY_OPCODE, FIELD(16, 86, 8)),
    ROW(0x010b06, ANY_OPCODE, FIELD(16, 86, 6)),
    ROW(0x010b0c, ANY_OPCODE, FIELD(16, 86, 8)),
    ROW(0x010b0e, ANY_OPCODE, FIELD(16, 86, 8)),
    ROW(0x012900, 0x212, FIELD(16, 86, 8), FIELD(24, 102, 8), LATE(32, 118, 8)),
    ROW(0x012908, 0xc12, FIELD(16, 86, 8), FIELD(24, 102, 8), LATE(32, 118, 6)),
    ROW(0x012b00, 0x212, FIELD(16, 102, 8), LATE(32, 118, 8)),
    ROW(0x020c52, 0x835, FIELD(16, 86, 8), FIELD(24, 118, 8), FIELD(32, 192, 32)),
    ROW(0x020d1a, 0x82b, FIELD(16, 86, 8), FIELD(24, 102, 8), FIELD(32, 224, 32), FIELD(64, 142, 8)),
    ROW(0x020d1c, 0x42b, FIELD(16, 86, 8), FIELD(24, 102, 8), FIELD(64, 118, 8)),
    ROW(0x020f12, 0x828, FIELD(16, 86, 8), FIELD(24, 102, 8), FIELD(32, 224, 32)),
    ROW(0x022208, 0x7ac, FIELD(16, 86, 6), OFFSET(37, 224, 16), FIELD(73, 52, 3)),
    ROW(0x02220c, 0xb82, FIELD(16, 86, 8), FIELD(24, 118, 8), OFFSET(38, 224, 16), FIELD(73, 52, 3)),
    ROW(0x02220e, 0xb82, FIELD(16, 86, 8), OFFSET(38, 224, 16), FIELD(73, 52, 3)),
    ROW(0x022228, 0x983, FIELD(16, 86, 8), FIELD(24, 102, 8), FIELD(40, 224, 24), FIELD(73, 52, 3)),
    ROW(0x022232, 0x980, FIELD(16, 102, 8), FIELD(25, 119, 7), FIELD(33, 159, 5), FIELD(40, 224, 24), FIELD(73, 48, 3)),
    ROW(0x022904, 0x812, FIELD(16, 102, 8), FIELD(24, 118, 8), FIELD(32, 224, 32)),
    ROW(0x02380e, 0x986, FIELD(25, 103, 7), FIELD(32, 158, 8), FIELD(40, 224, 24), FIELD(65, 143, 5), FIELD(73, 52, 3)),
    ROW(0x023820, 0x387, FIELD(24, 86, 8), FIELD(32, 118, 8), FIELD(40, 224, 24), FIELD(73, 52, 3)),
    ROW(0x02382a, 0x985, FIELD(25, 103, 7), FIELD(32, 158, 8), FIELD(40, 224, 24), FIELD(65, 143, 5), FIELD(73, 48, 3)),
    ROW(0x024d0e, 0x9a6, FIELD(25, 103, 7), FIELD(32, 158, 8), FIELD(40, 224, 24), FIELD(65, 143, 5)),
    ROW(0x024e24, 0x3a9, FIELD(16, 118, 8), FIELD(25, 143, 7), FIELD(32, 174, 8), FIELD(40, 224, 24), FIELD(64, 190, 8)),
    ROW(0x024e52, 0x9a8, FIELD(16, 118, 8), FIELD(25, 143, 7), FIELD(32, 190, 8), FIELD(40, 224, 22), FIELD(65, 175, 5)),
    ROW(0x025a00, 0x23c, FIELD(16, 102, 8), FIELD(24, 118, 8), FIELD(32, 142, 8), FIELD(64, 158, 8)),
    OPCODE(0x410000, 0x211),
    OPCODE(0x410b20, 0x202),
    OPCODE(0x410c50, 0x235),
    OPCODE(0x410c54, 0xc35),
    OPCODE(0x411072, 0x20c),
    OPCODE(0x41476e, 0x948),
    OPCODE(0x420a02, 0x943),
    OPCODE(0x420b22, 0x402),
    OPCODE(0x420b26, 0x482),
    OPCODE(0x42102e, 0x20c),
    OPCODE(0x421030, 0x80c),
    OPCODE(0x42105e, 0x20c),
    OPCODE(0x422a02, 0x812),
    OPCODE(0x423300, 0x950),
};
/* clang-format on */

static bool
field_fits(const struct field_pair *field, const uint8_t *record, const uint8_t *text)
{
    enum { ROLE_AT = 12, PARAMETER = 0x40, LAST_PLAIN_ROLE = 0x42 };
    uint32_t here = read_u32(text + field->sass.at) >> field->sass.shift;
    uint32_t there = read_u32(record + field->record.at) >> field->record.shift;

    if (field->is_in_bank && record[ROLE_AT] > LAST_PLAIN_ROLE) /* slots of textures */
        return true;
    if (field->is_in_bank && record[ROLE_AT] == PARAMETER)
        there += PARAMETERS_AT;
    return ((here ^ there) & field->mask) == 0;
}

/* The guard is at the same place in all records: its predicate, and whether it is negated. */
static bool
guard_fits(const uint8_t *record, unsigned first_word)
{
    enum { GUARD_AT = 4 };
    unsigned guard = record[GUARD_AT];

    return first_word >> 12 == ((guard >> 3 & 7) | (guard & 1) << 3);
}

static bool
record_fits(const uint8_t *record, const uint8_t *text)
{
    uint32_t key = (uint32_t)record[0] << 16 | (uint32_t)record[1] << 8 | record[2];
    const struct record_row *row = &rows[SLOT(key)];
    unsigned first_word = read_u16(text);

    if (row->key != key)
        return true;
    if (row->opcode != ANY_OPCODE && (first_word & 0xfff) != row->opcode)
        return false;
    if (row->fields[0].mask && !guard_fits(record, first_word))
        return false;
    for (int i = 0; i < MOST_FIELDS && row->fields[i].mask; i++)
        if (!field_fits(&row->fields[i], record, text))
            return false;
    return true;
}

bool
entry_fits_text(struct bytes capsule, const struct capsule_entry *entry, const uint8_t *text,
                bool is_last)
{
    enum { COUNT_SIZE = 2 };

    if (entry->size == COUNT_SIZE)
        return is_last ? is_end_of_text(text, entry->count) : is_filling(text, entry->count);
    return entry->count != 1 || record_fits(capsule.at + entry->record, text);
}
