#include "schedule/operands.h"

#include "schedule/opcodes.h"

#define NOBODY 255 /* RZ, URZ: reads as zero, writes go nowhere */
#define ALWAYS 7   /* PT */

/* Constants beyond bank 0, or at an address that is computed, come later than parameters. */
#define EXTRA_CONSTANT_LATENCY 53

static unsigned
bits_of(const struct instruction *instruction, unsigned first, unsigned width)
{
    if (first >= 64)
        return field(instruction->high, first - 64, width);
    return field(instruction->low, first, width);
}

static unsigned
ones(unsigned bits)
{
    unsigned count = 0;

    for (; bits; bits &= bits - 1)
        count++;
    return count;
}

/* Of the two shapes that a product of matrices may have, which differ in one dimension, is it the
   larger? */
static bool
is_large_product(const struct instruction *instruction)
{
    bool has_wide_floats = opcode_of(instruction) == OP_HMMA && bits_of(instruction, 83, 1);

    return has_wide_floats ? !bits_of(instruction, 78, 1) : bits_of(instruction, 75, 1);
}

/* How many registers one operand has where one bit does not say it. */
static unsigned
dependent_width(const struct instruction *instruction, enum operand_code code, unsigned first)
{
    static const uint8_t memory[] = {1, 1, 1, 1, 1, 2, 4, 4};
    static const uint8_t texture[] = {1, 2, 3, 3, 2, 3, 4, 4};
    static const uint8_t surface[] = {1, 4, 4, 2, 4, 3, 4, 4};
    static const uint8_t matrices[] = {1, 2, 4, 4};
    unsigned size = bits_of(instruction, 73, 3);
    unsigned components = ones(bits_of(instruction, 72, 4));

    switch (code) {
    case DH:
    case RH:
        return bits_of(instruction, 76, 1) ? 4 : 2;
    case DN:
    case RN:
        return matrices[bits_of(instruction, 72, 2)];
    case RG:
        return is_large_product(instruction) ? 4 : 2;
    case RK:
        return is_large_product(instruction) ? 2 : 1;
    case DM:
    case EM:
    case RM:
        return memory[size];
    case DA:
    case RI:
        return size == 2 || size == 3 ? 2 : 1;
    case RJ:
        return size == 2 || size == 3 ? 4 : 2;
    case DB:
    case RB:
        return size == 2 || size == 7 ? 2 : 1;
    case DT:
        return first == 16 ? (components < 2 ? components : 2)
                           : components - (components < 2 ? components : 2);
    case RF:
        return bits_of(instruction, 84, 2) == 3 ? 2 : 1;
    case RT:
        return texture[bits_of(instruction, 61, 3)];
    case RY:
        return surface[bits_of(instruction, 61, 3)];
    default:
        return 0;
    }
}

enum access { ABSENT, GENERAL_WRITTEN, UNIFORM_WRITTEN, GENERAL_READ, UNIFORM_READ, UNIFORM_MAYBE };

static const struct {
    uint8_t access;
    uint8_t width; /* 0: it depends */
    uint8_t bit;   /* one register more if this bit is set; 0: none is */
} operand_codes[] = {
    [__] = {ABSENT, 0, 0},

    [D1] = {GENERAL_WRITTEN, 1, 0},  [D2] = {GENERAL_WRITTEN, 2, 0},
    [D4] = {GENERAL_WRITTEN, 4, 0},  [DV] = {GENERAL_WRITTEN, 1, 80},
    [DW] = {GENERAL_WRITTEN, 1, 75}, [DL] = {GENERAL_WRITTEN, 1, 74},
    [DH] = {GENERAL_WRITTEN, 0, 0},  [DN] = {GENERAL_WRITTEN, 0, 0},
    [DM] = {GENERAL_WRITTEN, 0, 0},  [DA] = {GENERAL_WRITTEN, 0, 0},
    [DB] = {GENERAL_WRITTEN, 0, 0},  [DT] = {GENERAL_WRITTEN, 0, 0},

    [E1] = {UNIFORM_WRITTEN, 1, 0},  [E2] = {UNIFORM_WRITTEN, 2, 0},
    [EM] = {UNIFORM_WRITTEN, 0, 0},  [EV] = {UNIFORM_WRITTEN, 1, 80},
    [EL] = {UNIFORM_WRITTEN, 1, 74},

    [R1] = {GENERAL_READ, 1, 0},     [R2] = {GENERAL_READ, 2, 0},
    [R4] = {GENERAL_READ, 4, 0},     [RV] = {GENERAL_READ, 1, 80},
    [RQ] = {GENERAL_READ, 1, 73},    [RL] = {GENERAL_READ, 1, 74},
    [RA] = {GENERAL_READ, 1, 72},    [RF] = {GENERAL_READ, 0, 0},
    [RH] = {GENERAL_READ, 0, 0},     [RN] = {GENERAL_READ, 0, 0},
    [RG] = {GENERAL_READ, 0, 0},     [RK] = {GENERAL_READ, 0, 0},
    [RM] = {GENERAL_READ, 0, 0},     [RI] = {GENERAL_READ, 0, 0},
    [RJ] = {GENERAL_READ, 0, 0},     [RB] = {GENERAL_READ, 0, 0},
    [RT] = {GENERAL_READ, 0, 0},     [RY] = {GENERAL_READ, 0, 0},

    [U1] = {UNIFORM_READ, 1, 0},     [U2] = {UNIFORM_READ, 2, 0},
    [U8] = {UNIFORM_READ, 8, 0},     [UV] = {UNIFORM_READ, 1, 80},
    [UL] = {UNIFORM_READ, 1, 74},    [V1] = {UNIFORM_MAYBE, 1, 0},
    [V2] = {UNIFORM_MAYBE, 2, 0},
};

static unsigned
width_of(const struct instruction *instruction, enum operand_code code, unsigned first)
{
    unsigned width = operand_codes[code].width, bit = operand_codes[code].bit;

    if (!width)
        return dependent_width(instruction, code, first);
    return bit ? width + bits_of(instruction, bit, 1) : width;
}

static inline void
add_range(struct operands *operands, bool is_written, unsigned first, unsigned count)
{
    struct register_range range = {(uint16_t)(first & 0xfff), (uint16_t)(count & 0xf)};

    if (!count)
        return;
    if (is_written)
        operands->written[operands->written_count++] = range;
    else
        operands->read[operands->read_count++] = range;
}

/* The operand that is in the field at bit `first`, whose value is `number`. */
static void
add_register(const struct instruction *instruction, unsigned first, unsigned number,
             enum operand_code code, struct operands *operands)
{
    unsigned access = operand_codes[code].access;

    if (number == NOBODY || (access == UNIFORM_MAYBE && !bits_of(instruction, 91, 1)))
        return;
    unsigned count = width_of(instruction, code, first);
    if (number + count > NOBODY)
        count = NOBODY - number;
    bool is_general = access == GENERAL_WRITTEN || access == GENERAL_READ;
    bool is_written = access == GENERAL_WRITTEN || access == UNIFORM_WRITTEN;
    add_range(operands, is_written, (is_general ? GENERAL_REGISTERS : UNIFORM_REGISTERS) + number,
              count);
}

static void
add_registers(const struct instruction *instruction, const struct opcode_fields *fields,
              struct operands *operands)
{
    uint64_t low = instruction->low, high = instruction->high;

    if (fields->at16)
        add_register(instruction, 16, field(low, 16, 8), fields->at16, operands);
    if (fields->at24)
        add_register(instruction, 24, field(low, 24, 8), fields->at24, operands);
    if (fields->at32)
        add_register(instruction, 32, field(low, 32, 8), fields->at32, operands);
    if (fields->at40)
        add_register(instruction, 40, field(low, 40, 8), fields->at40, operands);
    if (fields->at64)
        add_register(instruction, 64, field(high, 0, 8), fields->at64, operands);
}

static inline void
add_predicate(unsigned number, bool is_written, unsigned file, struct operands *operands)
{
    if ((number & 7) != ALWAYS)
        add_range(operands, is_written, file + (number & 7), 1);
}

static void
add_predicates(const struct instruction *instruction, unsigned code, struct operands *operands)
{
    unsigned file = code & UNI ? UNIFORM_PREDICATES : PREDICATES;
    unsigned results = code & (UNI | UNI_RESULT) ? UNIFORM_PREDICATES : PREDICATES;
    uint64_t high = instruction->high;

    add_predicate(guard_of(instruction), false, file, operands);
    if (!(code & ~(unsigned)UNI))
        return;
    if (code & W81)
        add_predicate(field(high, 17, 3), true, results, operands);
    if (code & W84)
        add_predicate(field(high, 20, 3), true, results, operands);
    if (code & R87)
        add_predicate(field(high, 23, 3), false, file, operands);
    if (code & R77)
        add_predicate(field(high, 13, 3), false, file, operands);
    if (code & R68)
        add_predicate(field(high, 4, 3), false, field(high, 3, 1) ? UNIFORM_PREDICATES : file,
                      operands);
    if (code & R24)
        add_predicate(field(instruction->low, 24, 3), false, UNIFORM_PREDICATES, operands);
    if (code & (ALL_READ | ALL_WRITTEN))
        add_range(operands, code & ALL_WRITTEN, file, ALWAYS);
}

/* Matrix products on sparse operands have more of them than the table says. */
static bool
has_hidden_operands(const struct instruction *instruction)
{
    unsigned opcode = opcode_of(instruction);

    return (opcode == OP_HMMA || opcode == OP_IMMA || opcode == OP_QMMA) &&
           bits_of(instruction, 73, 1);
}

bool
operands_of(const struct instruction *instruction, struct operands *operands)
{
    const struct opcode_fields *fields = &opcode_table[opcode_of(instruction)];

    if (!fields->known || has_hidden_operands(instruction))
        return false;
    operands->written_count = operands->read_count = 0;
    add_registers(instruction, fields, operands);
    add_predicates(instruction, fields->predicates, operands);
    operands->class = fields->class;
    operands->flags = fields->flags;
    operands->write_latency = fields->write_latency;
    operands->read_latency = fields->read_latency;
    if (opcode_of(instruction) == OP_LDC &&
        (bits_of(instruction, 24, 8) != NOBODY || bits_of(instruction, 54, 5)))
        operands->write_latency += EXTRA_CONSTANT_LATENCY;
    return true;
}

bool
ranges_overlap(const struct register_range *a, unsigned a_count, const struct register_range *b,
               unsigned b_count)
{
    for (unsigned i = 0; i < a_count; i++)
        for (unsigned k = 0; k < b_count; k++)
            if (a[i].first < b[k].first + b[k].count && b[k].first < a[i].first + a[i].count)
                return true;
    return false;
}
