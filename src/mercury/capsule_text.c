#include "mercury/capsule_text.h"

#include "mercury/instruction_tables.h"
#include "schedule/blocks.h"
#include "schedule/instruction.h"

/* ---- any instruction ---- */

/* Bits 92 to 104 and the last two of every instruction. */
#define RESERVED_BITS 0xc00001fff0000000u
/* Bits 9 to 11 say what the operands are: registers, constants, immediate values. None is 0. */
#define OPERAND_BITS 0xe00u

/* Instructions that name another one by its distance have 0x14n in the low nine bits. */
static bool
may_have_target(uint64_t low)
{
    return (low & 0x1f0) == 0x140;
}

/* Is there an instruction where it leads? */
static bool
has_target(const struct instruction *instruction, size_t at, size_t size)
{
    uint32_t number = (uint32_t)(at / INSTRUCTION_SIZE);
    int64_t target;

    switch (opcode_of(instruction)) {
    case OP_BRA:
    case OP_BRA_UNIFORM:
    case OP_CALL_RELATIVE:
    case OP_WARPSYNC_ALL:
        target = branch_target(instruction, number);
        break;
    case OP_BSSY:
        target = meeting_place(instruction, number);
        break;
    default:
        return true;
    }
    return target >= 0 && (uint64_t)target < size / INSTRUCTION_SIZE;
}

/* Not 0 of an instruction that cannot be. */
static uint64_t
impossible_bits(struct instruction one, size_t at, size_t size)
{
    bool leads_nowhere = may_have_target(one.low) && !has_target(&one, at, size);
    uint64_t borrow = (one.low & OPERAND_BITS) - 1; /* its last bit is set if there are none */
    return (one.high & RESERVED_BITS) | borrow >> 63 | leads_nowhere;
}

size_t
find_damaged_instruction(struct bytes text)
{
    size_t end = text.size / INSTRUCTION_SIZE * INSTRUCTION_SIZE;
    uint64_t any = 0;

    for (size_t at = 0; at < end; at += INSTRUCTION_SIZE) /* nearly always none: no branches */
        any |= impossible_bits(read_instruction(text.at + at), at, end);
    for (size_t at = 0; any && at < end; at += INSTRUCTION_SIZE)
        if (impossible_bits(read_instruction(text.at + at), at, end))
            return at;
    return SIZE_MAX;
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

/* What follows the code: a branch to itself, and nothing up to where the next code may begin. */
static bool
is_end_of_text(const uint8_t *text, uint32_t count)
{
    static const uint64_t usual = 0x000fc00000000000; /* no scoreboards, no stall */
    struct instruction first = read_instruction(text);
    uint64_t control = first.high & usual ? usual : 0; /* some compilations have none at all */

    if (first.low != branch_to_itself.low || first.high != (branch_to_itself.high | control))
        return false;
    uint64_t differs = 0;
    for (uint32_t i = 1; i < count; i++) {
        struct instruction one = read_instruction(text + (size_t)i * INSTRUCTION_SIZE);
        differs |= (one.low ^ no_operation.low) | (one.high ^ control);
    }
    return !differs;
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

static bool
field_fits(const struct field_pair *field, const uint8_t *record, const uint8_t *text)
{
    enum { ROLE_AT = 12, PARAMETER = 0x40, LAST_PLAIN_ROLE = 0x42, PARAMETERS_AT = 0x380 };
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

/* The rest of it, where the rest of the record is one whose instruction is known. */
static bool
fixed_part_fits(const struct fixed_part *fixed, const uint8_t *record, size_t size,
                struct instruction instruction)
{
    uint64_t differs = 0;

    for (size_t i = 0; i < size / sizeof(uint64_t); i++)
        differs |=
            (read_u64(record + i * sizeof(uint64_t)) ^ fixed->record[i]) & fixed->record_mask[i];
    return differs || (!((instruction.low ^ fixed->sass[0]) & fixed->sass_mask[0]) &&
                       !((instruction.high ^ fixed->sass[1]) & fixed->sass_mask[1]));
}

/* Records of those have a form of their own: register, name, zeroes. */
static bool
special_read_fits(const uint8_t *record, struct instruction instruction)
{
    enum { KIND = 2, REGISTER = 10, NAME = 12, CLASS_BITS = 0x3f };
    static const uint64_t own_bits = 0xfff000; /* register and guard */
    const struct special_read *special =
        find_special_read((uint32_t)record[KIND] << 16 | read_u16(record + NAME));
    bool is_wide = record[6] == 5 && (record[REGISTER] & CLASS_BITS) == 3;
    bool is_narrow = record[6] == 4 && (record[REGISTER] & CLASS_BITS) == 1;

    if (!special || read_u16(record + 14) || !(record[KIND] & 8 ? is_wide : is_narrow))
        return true;
    return (instruction.low & ~own_bits) == special->low &&
           without_control(instruction.high) == special->high;
}

static bool
record_fits(const uint8_t *record, size_t size, const uint8_t *text)
{
    uint32_t key = (uint32_t)record[0] << 16 | (uint32_t)record[1] << 8 | record[2];
    const struct record_row *row = find_record_row(key);
    struct instruction instruction = read_instruction(text);

    if (!row)
        return true;
    if (record[3] != row->last_byte)
        return false;
    if (row->opcode != ANY_OPCODE && opcode_of(&instruction) != row->opcode)
        return false;
    if (row->fields[0].mask && !guard_fits(record, instruction.low & 0xffff))
        return false;
    for (int i = 0; i < MOST_FIELDS && row->fields[i].mask; i++)
        if (!field_fits(&row->fields[i], record, text))
            return false;
    if (row->fixed)
        return fixed_part_fits(row->fixed, record, size, instruction);
    return row->opcode != ANY_OPCODE || special_read_fits(record, instruction);
}

bool
entry_fits_text(struct bytes capsule, const struct capsule_entry *entry, const uint8_t *text,
                bool is_last)
{
    enum { COUNT_SIZE = 2 };

    if (entry->size == COUNT_SIZE)
        return is_last ? is_end_of_text(text, entry->count) : is_filling(text, entry->count);
    return entry->count != 1 || record_fits(capsule.at + entry->record, entry->size, text);
}
