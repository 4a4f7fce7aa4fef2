#include "mercury/capsule_text.h"

#include "mercury/compiler_entries.h"
#include "mercury/constant_roles.h"
#include "mercury/instruction_tables.h"
#include "mercury/record_kinds.h"
#include "mercury/record_shapes.h"
#include "mercury/short_records.h"
#include "schedule/blocks.h"

/* ---- any instruction ---- */

/* What a register is added to: the beginning of the text, or nothing. */
static bool
is_base(int64_t target, uint32_t number)
{
    return target == 0 || target == (int64_t)number + 1;
}

bool
leads_nowhere(struct instruction one, size_t at, size_t size)
{
    uint32_t number = (uint32_t)(at / INSTRUCTION_SIZE);
    int64_t target;

    switch (opcode_of(&one)) {
    case OP_BRA:
    case OP_BRA_UNIFORM:
    case OP_CALL_RELATIVE:
    case OP_WARPSYNC_ALL:
        target = branch_target(&one, number);
        break;
    case OP_BRX:
    case OP_BRX_UNIFORM:
    case OP_RETURN:
        return !is_base(branch_target(&one, number), number);
    case OP_BSSY:
        target = meeting_place(&one, number);
        break;
    default:
        return false;
    }
    return target < 0 || (uint64_t)target >= size / INSTRUCTION_SIZE;
}

size_t
find_damaged_instruction(struct bytes text, size_t end)
{
    uint64_t any = 0;

    for (size_t at = 0; at < end; at += INSTRUCTION_SIZE) /* nearly always none: no branches */
        any |= impossible_bits(read_instruction(text.at + at), at, text.size);
    for (size_t at = 0; any && at < end; at += INSTRUCTION_SIZE)
        if (impossible_bits(read_instruction(text.at + at), at, text.size))
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
static bool
is_no_operation(struct instruction one)
{
    return one.low == no_operation.low && without_control(one.high) == no_operation.high;
}

static const struct instruction branch_to_itself = {0xfffffffc00fc7947, 0x0000000383ffff};

bool
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

/* Waits for a scoreboard have its number and how many may be under way, and nothing else. */
static bool
is_wait(struct instruction one)
{
    static const struct instruction wait = {0x000080000000791a, 0};
    static const uint64_t operands = 0x00007fc000000000;

    return (one.low & ~operands) == wait.low && without_control(one.high) == wait.high;
}

/* Settings have sums of nothing, which nobody adds up, delay others. */
static bool
is_sum_of_nothing(struct instruction one)
{
    static const struct instruction sum = {0x000000fffffff290, 0x000fffe0ff};

    return one.low == sum.low && without_control(one.high) == sum.high;
}

static bool
fills(struct instruction one)
{
    enum { BARRIER = 0xb1d }; /* may be apart from what takes its result */

    switch (opcode_of(&one)) {
    case OP_NOP:
        return is_no_operation(one);
    case BARRIER:
        return true;
    }
    return is_part_of_fence(one) || is_wait(one);
}

bool
is_filling(const uint8_t *text, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (!fills(read_instruction(text + (size_t)i * INSTRUCTION_SIZE)))
            return false;
    return true;
}

bool
is_filling_by_settings(const uint8_t *text, uint32_t count)
{
    enum { SUM = 0x290 };

    for (uint32_t i = 0; i < count; i++) {
        struct instruction one = read_instruction(text + (size_t)i * INSTRUCTION_SIZE);
        bool is_last = i + 1 == count; /* the first of several may be apart from their entry */

        if (!(opcode_of(&one) == SUM ? is_sum_of_nothing(one) : fills(one) || is_last))
            return false;
    }
    return true;
}

/* ---- instructions with a record ---- */

/* Addresses beside no register have no sign, and the record repeats none. */
static bool
is_absolute_address(const struct field_pair *field, const uint8_t *text, uint32_t address)
{
    enum { REGISTER_AT = 3, NO_REGISTER = 0xff };

    return field->mask == UINT32_MAX && text[REGISTER_AT] == NO_REGISTER &&
           address == read_u32(text + field->sass.at) >> field->sass.shift;
}

/* Offsets in banks may be negative, beside a register. */
static bool
is_offset(uint32_t offset, uint32_t mask)
{
    uint32_t above = offset & ~mask;

    return !above || (above == ~mask && offset & (mask ^ mask >> 1));
}

static bool
field_fits(const struct field_pair *field, const uint8_t *record, const uint8_t *text)
{
    uint32_t here = (uint32_t)((int32_t)read_u32(text + field->sass.at) >> field->sass.shift);
    uint32_t there = read_u32(record + field->record.at) >> field->record.shift;

    if (field->is_in_bank)
        return is_offset(there, field->mask) &&
               constant_role_fits(record, text, (here - there) & field->mask);
    return ((here ^ there) & field->mask) == 0 || is_absolute_address(field, text, there);
}

/* Of a register the record says what it is, too, in the bits before its number. */
static bool
register_fits(const struct field_pair *field, const uint8_t *record, const uint8_t *text)
{
    enum { NUMBER_AT = 6, NUMBER = 0xff };

    return field->mask != NUMBER || field->record.shift != NUMBER_AT ||
           operand_fits(read_u16(record + field->record.at), text,
                        field->sass.at * 8u + field->sass.shift);
}

/* ---- the rest of records ---- */

/* Bits of operands that do not follow from the instruction: one that is no register is described in other words, in the
   16 bits that its number is among, and what constant memory is read for is told of any bank, see other_bank_fits. */
static uint64_t
bits_of_operands(const struct record_row *row, const uint8_t *record, size_t word)
{
    enum { WORD_BITS = 64, WORD_BYTES = 8, BITS_BELOW = 6 };
    uint64_t bits = 0;

    for (int i = 0; i < MOST_FIELDS && row->fields[i].mask; i++) {
        const struct field_pair *field = &row->fields[i];
        uint32_t there = read_u32(record + field->record.at) >> field->record.shift;
        size_t begin = field->record.at * 8u + field->record.shift - BITS_BELOW;

        if (field->is_in_bank && word == CONSTANT_ROLE_AT / WORD_BYTES)
            bits |= (uint64_t)UINT8_MAX << CONSTANT_ROLE_AT % WORD_BYTES * 8;
        if ((there & field->mask) != field->mask)
            continue;
        if (begin / WORD_BITS == word)
            bits |= (uint64_t)UINT16_MAX << begin % WORD_BITS;
        else if (begin / WORD_BITS + 1 == word && begin % WORD_BITS > WORD_BITS - 16)
            bits |= (uint64_t)UINT16_MAX >> (WORD_BITS - begin % WORD_BITS);
    }
    return bits;
}

static bool
is_record_of(const struct forms *forms, const struct form *form, const uint8_t *record, size_t size)
{
    uint64_t differs = 0;

    for (size_t i = 0; i < size / sizeof(uint64_t); i++)
        differs |=
            (read_u64(record + i * sizeof(uint64_t)) & forms->record_mask[i]) ^ form->record[i];
    return !differs;
}

static bool
is_instruction_of(const struct forms *forms, const struct form *form, struct instruction one)
{
    return (one.low & forms->sass_mask[0]) == form->sass[0] &&
           (one.high & forms->sass_mask[1]) == form->sass[1];
}

/* The same, but for what nvlink passes over. */
static bool
means_record_of(const struct forms *forms, const struct form *form, const uint8_t *record,
                size_t size)
{
    uint64_t differs = 0;

    for (size_t i = 0; i < size / sizeof(uint64_t); i++)
        differs |= ((read_u64(record + i * sizeof(uint64_t)) ^ form->record[i]) &
                    forms->record_mask[i] & ~forms->unused_mask[i]);
    return !differs;
}

/* Also where it may be of another form. */
static bool
has_fixed_bits(const struct forms *forms, const uint8_t *record, size_t size)
{
    uint64_t differs = 0;

    for (size_t i = 0; i < size / sizeof(uint64_t); i++)
        differs |=
            (read_u64(record + i * sizeof(uint64_t)) ^ forms->at->record[i]) & forms->fixed_mask[i];
    return !differs;
}

/* The same, but for what its operands are. */
static bool
is_of_operands_alone(const struct record_row *row, const struct form *form, const uint8_t *record,
                     size_t size)
{
    const struct forms *forms = row->forms;
    uint64_t differs = 0;

    for (size_t i = 0; i < size / sizeof(uint64_t); i++)
        differs |=
            ((read_u64(record + i * sizeof(uint64_t)) ^ form->record[i]) & forms->record_mask[i] &
             ~forms->unused_mask[i] & ~bits_of_operands(row, record, i));
    return !differs && has_fixed_bits(forms, record, size);
}

/* Forms are those that were seen; whether record and instruction are of the same one is asked where nothing is
   known of each bit by itself. */
static bool
has_seen_form(const struct record_row *row, const uint8_t *record, size_t size,
              struct instruction one)
{
    const struct forms *forms = row->forms;

    for (size_t i = 0; i < forms->count; i++) {
        bool is_record = is_record_of(forms, &forms->at[i], record, size);
        bool is_instruction = is_instruction_of(forms, &forms->at[i], one);

        if (is_record || is_instruction)
            return is_instruction &&
                   (is_record || means_record_of(forms, &forms->at[i], record, size) ||
                    is_of_operands_alone(row, &forms->at[i], record, size));
    }
    return true;
}

/* Most are of the same form, which is seen at once. */
static bool
has_same_form(const struct record_row *row, const uint8_t *record, size_t size, const uint8_t *text)
{
    const struct forms *forms = row->forms;
    struct instruction one = read_instruction(text);

    for (size_t i = 0; i < forms->count; i++)
        if (is_instruction_of(forms, &forms->at[i], one) &&
            is_record_of(forms, &forms->at[i], record, size))
            return true;
    enum shape_answer answer = compare_with_shapes(record, size, 1, text);
    return answer == SHAPE_UNKNOWN ? has_seen_form(row, record, size, one) : answer == SHAPE_FITS;
}

/* Bits before the register; for numbers of 64 bits there is one more. */
static bool
has_plain_register(const uint8_t *record)
{
    enum { KIND = 2, IS_WIDE = 8, BEFORE = 10 };

    return !(record[BEFORE] & (record[KIND] & IS_WIDE ? 0x3c : 0x3e));
}

/* Records of those have a form of their own: register, name, zeroes. */
static bool
special_read_fits(const uint8_t *record, struct instruction instruction)
{
    enum { KIND = 2, WIDTH = 6, REGISTER = 10, NAME = 12, NARROW = 4, WIDE = 5 };
    static const uint64_t own_bits = 0xfff000; /* register and guard */
    const struct special_read *special =
        find_special_read((uint32_t)record[KIND] << 16 | read_u16(record + NAME));
    uint64_t low = instruction.low & ~own_bits, high = without_control(instruction.high);

    if (record[5] || record[WIDTH] != (record[KIND] & 8 ? WIDE : NARROW) || record[7] ||
        read_u16(record + 8) || read_u16(record + 14) || !has_plain_register(record))
        return false;
    return special ? low == special->low && high == special->high : !is_special_read(low, high);
}

static bool
has_form_of_row(const struct record_row *row, struct instruction one)
{
    const struct forms *forms = row->forms;

    for (size_t i = 0; forms && i < forms->count; i++)
        if (is_instruction_of(forms, &forms->at[i], one))
            return true;
    return false;
}

/* May there be a record that is not known? Not of an instruction that has another one. Of those with a short record,
   of which arithmetic has more than were seen, that is said only of what differs from it in a few bits. */
static bool
may_be_new(uint32_t key, struct instruction one)
{
    enum { MOST_BITS = 4 };
    unsigned opcode = opcode_of(&one);
    const struct record_row *row = NULL;

    if (key & 1 || has_known_records(opcode))
        return false;
    while (has_rows(opcode) && (row = next_row_of(opcode, row)) != NULL) {
        bool is_near =
            !is_short_record(row->key) || __builtin_popcount(key ^ row->key) <= MOST_BITS;

        if (is_near && has_form_of_row(row, one))
            return false;
    }
    return true;
}

/* Of one that is in none of the tables above. */
static bool
other_record_fits(const uint8_t *record, size_t size, struct instruction one, const uint8_t *text)
{
    uint32_t key = record_key(record);
    enum shape_answer answer = is_short_record(key) ? compare_with_short_record(record, one)
                                                    : compare_with_shapes(record, size, 1, text);

    if (answer != SHAPE_UNKNOWN)
        return answer == SHAPE_FITS;
    if (is_changed_kind(record, one))
        return false;
    if (is_rare_record(record))
        return true;
    return may_be_new(key, one) && !is_changed_short_record(record, one) &&
           (is_short_record(key) || !is_of_other_record(record, 1, text));
}

static bool
record_fits(const uint8_t *record, size_t size, const uint8_t *text, bool are_all_known)
{
    uint32_t key = record_key(record);
    const struct record_row *row = find_record_row(key);
    struct instruction instruction = read_instruction(text);

    if (!row)
        return !are_all_known || other_record_fits(record, size, instruction, text);
    if (record[3] != row->last_byte)
        return false;
    if (row->opcode != ANY_OPCODE && opcode_of(&instruction) != row->opcode)
        return false;
    if (row->fields[0].mask && !record_guard_fits(record, instruction.low & 0xffff))
        return false;
    for (int i = 0; i < MOST_FIELDS && row->fields[i].mask; i++)
        if (!field_fits(&row->fields[i], record, text) ||
            !register_fits(&row->fields[i], record, text))
            return false;
    if (row->forms)
        return has_same_form(row, record, size, text);
    return row->opcode != ANY_OPCODE || special_read_fits(record, instruction);
}

static bool
parts_fit_shape(const uint8_t *record, size_t size, uint32_t count, const uint8_t *text)
{
    enum shape_answer answer = compare_with_shapes(record, size, count, text);

    return answer == SHAPE_UNKNOWN ? !is_of_other_record(record, count, text)
                                   : answer == SHAPE_FITS;
}

/* The second byte of all records is below 0x80, the third one even. */
static bool
has_head_of_record(const uint8_t *record)
{
    enum { NO_KIND = 0x80, ODD = 1 };

    return !(record[1] & NO_KIND) && !(record[2] & ODD);
}

bool
entry_fits_text(struct bytes capsule, const struct capsule_entry *entry, const uint8_t *text,
                bool are_all_known)
{
    const uint8_t *record = capsule.at + entry->record;

    if (are_all_known && !has_head_of_record(record))
        return false;
    if (entry->count == 1)
        return record_fits(record, entry->size, text, are_all_known);
    return !are_all_known || parts_fit_shape(record, entry->size, entry->count, text);
}
