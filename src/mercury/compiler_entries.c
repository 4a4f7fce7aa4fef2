#include "mercury/compiler_entries.h"

#include "base/sorted.h"
#include "mercury/capsule_text.h"
#include "mercury/control_bits.h"
#include "mercury/instruction_tables.h"

/* ---- records of rare instructions ---- */

/* The first three bytes of a record, the fourth, and an opcode that goes with them. */
struct rare_record {
    uint32_t key;
    uint8_t last_byte;
    uint16_t opcode;
};

/* clang-format off */
static const struct rare_record rare_records[] = {
    {0x010c2a, 0x0a, 0x236}, {0x012340, 0x0a, 0x91a}, {0x016200, 0x0a, 0x82e},
    {0x021002, 0x14, 0x81c}, {0x02100a, 0x0e, 0x42a}, {0x021060, 0x0e, 0x80c},
    {0x021b3a, 0x32, 0x9a7}, {0x021b62, 0x06, 0x988}, {0x02221e, 0x32, 0x981},
    {0x022346, 0x26, 0x3bb}, {0x02234c, 0x26, 0x3b6}, {0x022350, 0x26, 0x3bb},
    {0x023852, 0x32, 0x97f}, {0x024d04, 0x32, 0xdbe}, {0x41123c, 0x0a, 0x306},
    {0x411256, 0x44, 0x304}, {0x4112cc, 0x0c, 0x912}, {0x411404, 0x0a, 0xd02},
    {0x412810, 0x04, 0x292}, {0x414906, 0x0a, 0x3c6}, {0x416202, 0x0a, 0x82d},
    {0x420c2c, 0x06, 0x836}, {0x421d16, 0x14, 0xc10}, {0x422718, 0x06, 0x812},
    {0x426736, 0x14, 0x285},
};
/* clang-format on */

/* The first that has the key, or a larger one; most are asked for in vain. */
static const struct rare_record *
rare_from(uint32_t key)
{
    return rare_records + first_not_below(rare_records, sizeof rare_records / sizeof *rare_records,
                                          sizeof *rare_records, key);
}

bool
is_rare_record(const uint8_t *record)
{
    const struct rare_record *row = rare_from(record_key(record));

    return row < rare_records + sizeof rare_records / sizeof *rare_records &&
           row->key == record_key(record);
}

enum { MOST_REGISTERS = 4 };

/* Registers of such records and of some others, by the opcode of their instruction: their first bits in it, where they
   are a byte, and in the record. */
static const struct registers {
    uint32_t key;
    struct {
        uint8_t sass, record; /* 0: there are no more */
    } at[MOST_REGISTERS];
} rare_registers[OPCODES] = {
    [0x237] = {0x025a08, {{16, 102}, {24, 118}, {32, 142}, {64, 158}}},
    [0x23c] = {0x025a0c, {{16, 102}, {24, 118}, {32, 142}, {64, 158}}},
    [0x292] = {0x012910, {{16, 86}, {24, 102}, {32, 118}}},
    [0x2ca] = {0x015f08, {{16, 86}, {24, 102}}},
    [0x2cc] = {0x013210, {{16, 86}, {24, 102}}},
    [0x3a8] = {0x021800, {{24, 102}, {32, 142}}},
    [0x3c4] = {0x013210, {{16, 86}, {24, 102}}},
    [0x42a] = {0x02100a, {{24, 118}}},
    [0x51d] = {0x014756, {{32, 86}}},
    [0x97f] = {0x023852, {{24, 102}, {32, 158}}},
    [0x98c] = {0x024e84, {{16, 102}, {24, 118}, {32, 174}, {64, 142}}},
    [0xf66] = {0x023f00, {{16, 142}, {24, 158}, {64, 118}}},
    [0xf99] = {0x023a00, {{16, 118}, {24, 142}, {40, 158}}},
    [0xf9d] = {0x023d02, {{24, 102}, {32, 118}}},
};

static bool
registers_fit(const uint8_t *record, const uint8_t *text)
{
    const struct registers *registers = &rare_registers[read_u16(text) % OPCODES];

    if (registers->key != record_key(record))
        return true;
    for (int i = 0; i < MOST_REGISTERS && registers->at[i].sass; i++) {
        unsigned at = registers->at[i].record;

        if (text[registers->at[i].sass / 8] != (read_u16(record + at / 8) >> at % 8 & UINT8_MAX))
            return false;
    }
    return true;
}

static bool
has_guard(uint32_t key)
{
    enum { SHORT_MARK = 0x400000 };

    return !(key & SHORT_MARK);
}

/* One of a key that is not among them may be of any opcode. */
static bool
rare_record_fits(const uint8_t *record, const uint8_t *text)
{
    const struct rare_record *end = rare_records + sizeof rare_records / sizeof *rare_records;
    uint32_t key = record_key(record);
    const struct rare_record *row = rare_from(key);

    if (row == end || row->key != key)
        return true;
    struct instruction one = read_instruction(text);
    for (; row < end && row->key == key; row++)
        if (row->last_byte == record[3] && row->opcode == opcode_of(&one))
            return !has_guard(key) || record_guard_fits(record, one.low & 0xffff);
    return false;
}

/* ---- records for several instructions ---- */

enum { LONGEST_SHAPE = 9 };

static const struct entry_shape {
    uint32_t key;
    uint8_t last_byte;
    uint32_t count;
    uint16_t opcodes[LONGEST_SHAPE];
} shapes[] = {
    {0x01000a, 0x0a, 2, {0x202, 0x202}},
    {0x011100, 0x0a, 4, {0x992, 0x9ab, 0x5ab, 0x94d}},
    {0x02477c, 0x06, 3, {0x348, 0x918, 0x91b}},
    {0x024b1a, 0x06, 3, {0x348, 0x389, 0x91b}},
    {0x024c0e, 0x06, 3, {0x348, 0x806, 0x91b}},
    {0x01476e, 0x0a, 2, {0x948, 0x918}},
    {0x014776, 0x0a, 2, {0x948, 0x918}},
    {0x011b36, 0x0a, 3, {0x890, 0x899, 0x899}},
    {0x014700, 0x0a, 9, {0x984, 0x984, 0x984, 0x984, 0x992, 0x992, 0x9ab, 0x5ab, 0x9c7}},
    {0x014706, 0x0a, 2, {0xdc7, 0x98f}},
    {0x014910, 0x0a, 9, {0x984, 0x984, 0x984, 0x984, 0x992, 0x992, 0x9ab, 0x5ab, 0x98f}},
    {0x015f02, 0x04, 2, {0x81c, 0x2ca}},
    {0x015f06, 0x04, 2, {0x81c, 0x2ca}},
    {0x022330, 0x34, 4, {0x984, 0x984, 0x984, 0xfae}},
    {0x023810, 0x32, 9, {0x984, 0x984, 0x984, 0x984, 0x992, 0x992, 0x9ab, 0x5ab, 0x986}},
    {0x02472a, 0x24, 2, {0xb1d, 0x31c}},
    {0x024764, 0x06, 6, {0x948, 0x819, 0x812, 0x31d, 0x819, 0x91b}},
    {0x024a12, 0x06, 3, {0x348, 0x3a1, 0x91b}},
    {0x024e5a, 0x32, 9, {0x984, 0x984, 0x984, 0x984, 0x992, 0x992, 0x9ab, 0x5ab, 0x98a}},
};

/* What fences, barriers and padding consist of has no operands but the guard, and the fence itself its kind. */
static const struct plain_part {
    uint64_t low, high, varies;
} plain_parts[] = {
    {0xffff0984u, 0x800u, 0},
    {0x992u, 0, 0xf000u},
    {0x9abu, 0, 0},
    {0x5abu, 0, 0},
    {0x918u, 0, 0},
    {0x91bu, 0x3800000u, 0},
    {0xff00098fu, 0x2000000u, 0},
    {0xdc7u, 0x8000000u, 0},
    {0x9c7u, 0x8000000u, 0},
};

static const struct plain_part *
plain_part_of(struct instruction one)
{
    for (size_t i = 0; i < sizeof plain_parts / sizeof *plain_parts; i++)
        if (opcode_of(&one) == (plain_parts[i].low & 0xfff))
            return &plain_parts[i];
    return NULL;
}

static bool
is_as(const struct plain_part *part, struct instruction one)
{
    const uint64_t guard = 0xf000u, operation = ((uint64_t)1 << 41) - 1;

    return (one.low & ~guard) == part->low && (one.high & operation & ~part->varies) == part->high;
}

bool
is_part_of_fence(struct instruction one)
{
    const struct plain_part *part = plain_part_of(one);

    return part && is_as(part, one);
}

static bool
is_plain_part(struct instruction one)
{
    const struct plain_part *part = plain_part_of(one);

    return !part || is_as(part, one);
}

/* Of fences, not of other padding. */
static bool
is_in_fences(unsigned opcode)
{
    switch (opcode) {
    case 0x984:
    case OP_MEMBAR:
    case OP_ERRBAR:
    case OP_CGAERRBAR:
    case OP_CCTL:
    case OP_DEPBAR:
        return true;
    }
    return false;
}

/* How many instructions, the next one included, are of a fence: those may be more or fewer. */
static uint32_t
parts_of_fence(const uint8_t *text, uint32_t most)
{
    uint32_t count = 0;

    while (count < most) {
        struct instruction one = read_instruction(text + (size_t)count * INSTRUCTION_SIZE);

        if (!is_in_fences(opcode_of(&one)) ||
            (opcode_of(&one) != OP_DEPBAR && !is_part_of_fence(one)))
            break;
        count++;
    }
    return count;
}

static bool
has_opcodes_of(const struct entry_shape *shape, const uint8_t *text)
{
    uint32_t at = 0;

    for (uint32_t k = 0; k < shape->count; k++) {
        if (is_in_fences(shape->opcodes[k]))
            continue;
        at += parts_of_fence(text + (size_t)at * INSTRUCTION_SIZE, shape->count - at);
        if (at == shape->count ||
            (read_u16(text + (size_t)at * INSTRUCTION_SIZE) & 0xfff) != shape->opcodes[k])
            return false;
        at++;
    }
    return at + parts_of_fence(text + (size_t)at * INSTRUCTION_SIZE, shape->count - at) ==
           shape->count;
}

static bool
has_shape(const uint8_t *record, uint32_t count, const uint8_t *text)
{
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        if (shapes[i].key == record_key(record) && shapes[i].count == count)
            return shapes[i].last_byte == record[3] && has_opcodes_of(&shapes[i], text);
    return true;
}

/* Has a record of older files the predicate of its instruction, and no other operands? */
static bool
predicate_fits(const uint8_t *record, struct instruction one)
{
    enum { OLDER = 0x01476e, NEGATED_AT = 6, REST_AT = 7, PREDICATE_AT = 11, LAST_AT = 12 };
    enum { SHIFT = 23, NONE = 7, NEGATED = 8, ALL_BITS = 0x1f };
    unsigned here = (unsigned)(one.high >> SHIFT), number = here & NONE;

    return record_key(record) != OLDER ||
           (record[PREDICATE_AT] >> 3 == (number == NONE ? ALL_BITS : number) &&
            !(record[NEGATED_AT] & 1) == !(here & NEGATED) && !read_u32(record + REST_AT) &&
            !read_u32(record + LAST_AT));
}

/* Of what converges the guard is that of the first instruction, behind which there is a NOP in older files; the
   convergence of what threads do together leads to the next instruction. */
static bool
convergence_fits(const uint8_t *record, const uint8_t *text)
{
    enum { WARPSYNC = 0x948, WARPSYNC_TOGETHER = 0x348, DISTANCE_AT = 32 };
    struct instruction first = read_instruction(text);

    switch (opcode_of(&first)) {
    case WARPSYNC:
        return record_guard_fits(record, first.low & 0xffff) && predicate_fits(record, first);
    case WARPSYNC_TOGETHER:
        return !(first.low >> DISTANCE_AT);
    }
    return true;
}

/* A load from shared memory is one where another or a fence follows, else what the record is about. */
static bool
is_load_itself(const uint8_t *text, uint32_t left)
{
    enum { LOAD = 0x984, FENCE = 0x992 };
    unsigned next = left > 1 ? read_u16(text + INSTRUCTION_SIZE) & 0xfff : 0;

    return (read_u16(text) & 0xfff) == LOAD && next != LOAD && next != FENCE;
}

/* A fence has a guard and a kind, and nothing else. */
static bool
is_plain_fence(const uint8_t *record)
{
    enum { FENCE = 0x014910, GUARD_AT = 4, KIND_AT = 6, REST_AT = 8 };

    return record_key(record) != FENCE ||
           (!record[GUARD_AT + 1] && !record[KIND_AT + 1] && !read_u64(record + REST_AT));
}

/* A wait for groups of copies says how many may be left, and nothing else that varies. */
static bool
is_plain_wait(const uint8_t *record)
{
    enum { COPIES = 0x012340, COPIES_IN_BULK = 0x01232a, FIRST_AT = 6, LEFT_AT = 11 };
    uint32_t key = record_key(record);

    if (key != COPIES && key != COPIES_IN_BULK)
        return true;
    return record[FIRST_AT] == (key == COPIES ? 0x08 : 0x20) && !read_u32(record + FIRST_AT + 1) &&
           !read_u32(record + LEFT_AT + 1);
}

/* Of an entry for several instructions: do those that fences, barriers and padding consist of have no operands? */
static bool
has_plain_parts(const struct capsule_entry *entry, const uint8_t *text)
{
    for (uint32_t i = 0; i < entry->count; i++) {
        const uint8_t *part = text + (size_t)i * INSTRUCTION_SIZE;

        if (!is_plain_part(read_instruction(part)) && !is_load_itself(part, entry->count - i))
            return false;
    }
    return true;
}

static bool
parts_fit(const uint8_t *record, const struct capsule_entry *entry, const uint8_t *text)
{
    return has_plain_parts(entry, text) && !(record_key(record) & 1) &&
           has_shape(record, entry->count, text) && convergence_fits(record, text) &&
           is_plain_fence(record) && is_plain_wait(record);
}

/* ---- both ---- */

/* Several records are of one that does nothing. */
static bool
is_plain_if_nop(const uint8_t *text)
{
    enum { NOP = 0x918 };
    struct instruction one = read_instruction(text);

    return opcode_of(&one) != NOP || is_plain_part(one);
}

static bool
has_odd_control(struct bytes capsule, const uint8_t *text, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        struct instruction one = read_instruction(text + (size_t)i * INSTRUCTION_SIZE);
        if (odd_control_bits(one.low, one.high) &&
            is_odd_control(one.low, one.high, capsule_has_settings(capsule)))
            return true;
    }
    return false;
}

bool
entry_is_of_compiler(struct bytes capsule, const struct capsule_entry *entry, const uint8_t *text,
                     bool are_all_known)
{
    const uint8_t *record = capsule.at + entry->record;

    if (has_odd_control(capsule, text, entry->count))
        return false;
    if (entry->count > 1)
        return parts_fit(record, entry, text);
    return is_plain_if_nop(text) &&
           (!are_all_known || find_record_row(record_key(record)) || /* that is not rare */
            (rare_record_fits(record, text) && registers_fit(record, text) &&
             is_plain_wait(record)));
}
