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
    static const uint8_t surface[] = {1, 1, 2, 2, 3, 3, 4, 4};
    static const uint8_t integers[] = {1, 1, 2, 2, 4, 4, 4, 4};
    static const uint8_t floats[] = {1, 2, 4, 1, 2, 4, 4, 4, 4, 1, 2, 4, 1, 2, 4, 2};
    static const uint8_t matrices[] = {1, 2, 4, 4, 4};
    unsigned size = bits_of(instruction, 73, 3);
    unsigned components;

    switch (code) {
    case DH:
    case RH:
        return bits_of(instruction, 76, 1) ? 4 : 2;
    case DQ:
    case RJ:
        return bits_of(instruction, 77, 1) ? 4 : 2;
    case DN:
    case RN:
        return matrices[bits_of(instruction, 72, 2) + bits_of(instruction, 77, 1)];
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
        return integers[size];
    case DB:
    case RB:
        return floats[bits_of(instruction, 73, 4)];
    case DG: /* formats of bytes are one further */
        return floats[(bits_of(instruction, 73, 4) - bits_of(instruction, 87, 1)) & 15];
    case DT:
        components = ones(bits_of(instruction, 72, 4));
        return first == 16 ? (components < 2 ? components : 2)
                           : components - (components < 2 ? components : 2);
    case RF:
        return bits_of(instruction, 84, 2) == 3 ? 2 : 1;
    case RX:
        return ones(bits_of(instruction, 72, 4));
    case RT:
        return texture[bits_of(instruction, 61, 3)];
    case RO:
        return bits_of(instruction, 56, 1) + bits_of(instruction, 78, 1) +
               bits_of(instruction, 87, 1);
    case RP:
        return bits_of(instruction, 76, 1) + bits_of(instruction, 78, 1);
    case RS:
        return bits_of(instruction, 56, 1) + bits_of(instruction, 77, 1) +
               bits_of(instruction, 87, 1);
    case RC:
        return texture[bits_of(instruction, 61, 3)] +
               (bits_of(instruction, 56, 1) && !bits_of(instruction, 63, 1));
    case RD:
        return bits_of(instruction, 61, 1) ? 4 : 2;
    case RU:
        return size < 2 ? 1 : 2;
    case RY:
        return surface[bits_of(instruction, 61, 3)];
    default:
        return 0;
    }
}

enum access { READ = 0, WRITTEN = 1, UNIFORM = 2, DEPENDS = 4 };

/* How many registers an operand has: so many, and those of `more` that are set in the high word from a bit on. */
static const struct {
    uint8_t access; /* DEPENDS: more than that says how many there are */
    uint8_t width;
    uint8_t bit, more;
} operand_codes[] = {
    [D1] = {WRITTEN, 1, 0, 0},
    [D2] = {WRITTEN, 2, 0, 0},
    [D4] = {WRITTEN, 4, 0, 0},
    [DV] = {WRITTEN, 1, 16, 1},
    [DW] = {WRITTEN, 1, 11, 1},
    [DL] = {WRITTEN, 1, 10, 1},
    [DH] = {DEPENDS | WRITTEN, 0, 0, 0},
    [DQ] = {DEPENDS | WRITTEN, 0, 0, 0},
    [DN] = {DEPENDS | WRITTEN, 0, 0, 0},
    [DM] = {DEPENDS | WRITTEN, 0, 0, 0},
    [DA] = {DEPENDS | WRITTEN, 0, 0, 0},
    [DB] = {DEPENDS | WRITTEN, 0, 0, 0},
    [DG] = {DEPENDS | WRITTEN, 0, 0, 0},
    [DT] = {DEPENDS | WRITTEN, 0, 0, 0},

    [E1] = {UNIFORM | WRITTEN, 1, 0, 0},
    [E2] = {UNIFORM | WRITTEN, 2, 0, 0},
    [EM] = {DEPENDS | UNIFORM | WRITTEN, 0, 0, 0},
    [EV] = {UNIFORM | WRITTEN, 1, 16, 1},
    [EL] = {UNIFORM | WRITTEN, 1, 10, 1},

    [R1] = {READ, 1, 0, 0},
    [R2] = {READ, 2, 0, 0},
    [R4] = {READ, 4, 0, 0},
    [RV] = {READ, 1, 16, 1},
    [RQ] = {READ, 1, 9, 1},
    [RL] = {READ, 1, 10, 1},
    [RA] = {READ, 1, 8, 1},
    [RF] = {DEPENDS | READ, 0, 0, 0},
    [RH] = {DEPENDS | READ, 0, 0, 0},
    [RJ] = {DEPENDS | READ, 0, 0, 0},
    [RN] = {DEPENDS | READ, 0, 0, 0},
    [RG] = {DEPENDS | READ, 0, 0, 0},
    [RK] = {DEPENDS | READ, 0, 0, 0},
    [RM] = {DEPENDS | READ, 0, 0, 0},
    [RI] = {DEPENDS | READ, 0, 0, 0},
    [RB] = {DEPENDS | READ, 0, 0, 0},
    [RT] = {DEPENDS | READ, 0, 0, 0},
    [RO] = {DEPENDS | READ, 0, 0, 0},
    [RP] = {DEPENDS | READ, 0, 0, 0},
    [RS] = {DEPENDS | READ, 0, 0, 0},
    [RC] = {DEPENDS | READ, 0, 0, 0},
    [RD] = {DEPENDS | READ, 0, 0, 0},
    [RX] = {DEPENDS | READ, 0, 0, 0},
    [RY] = {DEPENDS | READ, 0, 0, 0},
    [RU] = {DEPENDS | READ, 0, 0, 0},

    [U1] = {UNIFORM, 1, 0, 0},
    [U2] = {UNIFORM, 2, 0, 0},
    [U8] = {UNIFORM, 8, 0, 0},
    [UV] = {UNIFORM, 1, 16, 1},
    [UL] = {UNIFORM, 1, 10, 1},
    [V1] = {UNIFORM, 0, 27, 1}, /* if bit 91 is set */
    [V2] = {UNIFORM, 0, 26, 2}, /* the same */
    [UP] = {UNIFORM, 0, 11, 2},
};

/* The files begin at different bits. */
static inline uint64_t
sieve_of(unsigned first, unsigned count)
{
    enum { FILE_SIZE = 256, APART = 21 };
    unsigned shift = (first + first / FILE_SIZE * APART) % 64;
    uint64_t ones_in_a_row = ((uint64_t)1 << count) - 1;

    return ones_in_a_row << shift | ones_in_a_row >> (64 - shift) % 64;
}

/* What becomes of each range of registers that an instruction reads or writes. The function is known
   where operands are visited, and becomes part of that. */
typedef void range_taker(void *user, bool is_written, unsigned first, unsigned count);
#define VISITOR static inline __attribute__((always_inline))

struct visit {
    range_taker *take;
    void *user;
};

/* How many registers the operand in the field at bit `first` has. */
VISITOR unsigned
operand_width(const struct instruction *instruction, unsigned first, enum operand_code code)
{
    if (operand_codes[code].access & DEPENDS)
        return dependent_width(instruction, code, first);
    return operand_codes[code].width +
           (unsigned)(instruction->high >> operand_codes[code].bit & operand_codes[code].more);
}

/* The operand that is in the field at bit `first`, whose value is `number`. */
VISITOR void
visit_register(const struct instruction *instruction, unsigned first, unsigned number,
               enum operand_code code, struct visit visit)
{
    if (code == __ || number == NOBODY)
        return;
    unsigned access = operand_codes[code].access;
    unsigned count = operand_width(instruction, first, code);
    if (!count)
        return;
    if (number + count > NOBODY)
        count = NOBODY - number;
    if (access & UNIFORM)
        number += UNIFORM_REGISTERS;
    visit.take(visit.user, access & WRITTEN, number, count);
}

VISITOR void
visit_predicate(unsigned number, bool is_written, unsigned file, struct visit visit)
{
    if ((number & 7) != ALWAYS)
        visit.take(visit.user, is_written, file + (number & 7), 1);
}

VISITOR void
visit_predicates(const struct instruction *instruction, unsigned code, struct visit visit)
{
    unsigned file = code & UNI ? UNIFORM_PREDICATES : PREDICATES;
    uint64_t high = instruction->high;

    visit_predicate(guard_of(instruction), false, file, visit);
    if (!(code & ~(unsigned)UNI))
        return;
    unsigned results = code & (UNI | UNI_RESULT) ? UNIFORM_PREDICATES : PREDICATES;
    if (code & W81)
        visit_predicate(field(high, 17, 3), true, results, visit);
    if (code & W84)
        visit_predicate(field(high, 20, 3), true, results, visit);
    if (code & R87)
        visit_predicate(field(high, 23, 3), false, file, visit);
    if (code & R77)
        visit_predicate(field(high, 13, 3), false, file, visit);
    if (code & R68)
        visit_predicate(field(high, 4, 3), false, field(high, 3, 1) ? UNIFORM_PREDICATES : file,
                        visit);
    if (code & R24)
        visit_predicate(field(instruction->low, 24, 3), false, UNIFORM_PREDICATES, visit);
    if (code & (ALL_READ | ALL_WRITTEN))
        visit.take(visit.user, code & ALL_WRITTEN, file, ALWAYS);
}

VISITOR void
visit_registers(const struct instruction *instruction, const struct opcode_fields *fields,
                struct visit visit)
{
    uint64_t low = instruction->low, high = instruction->high;

    visit_register(instruction, 16, field(low, 16, 8), fields->at16, visit);
    visit_register(instruction, 24, field(low, 24, 8), fields->at24, visit);
    visit_register(instruction, 32, field(low, 32, 8), fields->at32, visit);
    if (fields->at40)
        visit_register(instruction, 40, field(low, 40, 8), fields->at40, visit);
    visit_register(instruction, 64, field(high, 0, 8), fields->at64, visit);
}

VISITOR void
add_range(void *user, bool is_written, unsigned first, unsigned count)
{
    struct operands *operands = user;
    struct register_range range = {(uint16_t)(first & 0xfff), (uint16_t)(count & 0xf)};

    if (is_written) {
        operands->written[operands->written_count++] = range;
        operands->written_sieve |= sieve_of(first, count);
    } else {
        operands->read[operands->read_count++] = range;
        operands->read_sieve |= sieve_of(first, count);
    }
}

void
operands_of(const struct instruction *instruction, struct operands *operands)
{
    const struct opcode_fields *fields = &opcode_table[opcode_of(instruction)];

    operands->traits = fields->traits;
    operands->written_count = operands->read_count = 0;
    operands->written_sieve = operands->read_sieve = 0;
    visit_registers(instruction, fields, (struct visit){add_range, operands});
    visit_predicates(instruction, fields->predicates, (struct visit){add_range, operands});
}

unsigned
write_latency_of(const struct instruction *instruction)
{
    unsigned latency = opcode_table[opcode_of(instruction)].traits.write_latency;
    bool is_late = opcode_of(instruction) == OP_LDC &&
                   (bits_of(instruction, 24, 8) != NOBODY || bits_of(instruction, 54, 5));

    return is_late ? latency + EXTRA_CONSTANT_LATENCY : latency;
}

struct sieving {
    struct sieves sieves;
    unsigned flags; /* enum operand_flags */
};

VISITOR void
sieve_range(void *user, bool is_written, unsigned first, unsigned count)
{
    struct sieving *sieving = user;
    uint64_t sieve = sieve_of(first, count);

    if (is_written)
        sieving->sieves.written |= sieve;
    else
        sieving->sieves.read |= sieve;
    if (!is_written && is_read_late(sieving->flags, first))
        sieving->sieves.read_late |= sieve;
}

struct sieves
sieves_of(const struct instruction *instruction)
{
    const struct opcode_fields *fields = &opcode_table[opcode_of(instruction)];
    struct sieving sieving = {.flags = fields->traits.flags};
    struct visit visit = {sieve_range, &sieving};

    visit_registers(instruction, fields, visit);
    visit_predicates(instruction, fields->predicates, visit);
    return sieving.sieves;
}

struct touching {
    uint32_t mark, *touched, *written;
};

VISITOR void
mark_range(void *user, bool is_written, unsigned first, unsigned count)
{
    const struct touching *touching = user;

    for (unsigned k = first; k < first + count; k++) {
        touching->touched[k] = touching->mark;
        if (is_written)
            touching->written[k] = touching->mark;
    }
}

/* Fields that name no register are taken for RZ, which nobody asks for. */
static void
mark_single_registers(const struct instruction *instruction, const struct opcode_fields *fields,
                      const struct touching *touching)
{
    uint64_t named = register_fields(instruction) | fields->not_general;
    unsigned first = named & UINT8_MAX;

    touching->touched[first] = touching->mark;
    touching->touched[named >> 8 & UINT8_MAX] = touching->mark;
    touching->touched[named >> 16 & UINT8_MAX] = touching->mark;
    touching->touched[named >> 24 & UINT8_MAX] = touching->mark;
    touching->touched[named >> 48 & UINT8_MAX] = touching->mark;
    touching->touched[fields->at32 == U1 ? UNIFORM_REGISTERS + field(instruction->low, 32, 8)
                                         : NOBODY] = touching->mark;
    touching->written[operand_codes[fields->at16].access & WRITTEN ? first : NOBODY] =
        touching->mark;
}

/* Are all operands single registers, and but for the second source general ones? */
static bool
has_single_registers(const struct instruction *instruction, const struct opcode_fields *fields)
{
    enum { LARGEST_SINGLE_SIZE = 4 }; /* see dependent_width */

    return fields->known & IS_SIMPLE && !(instruction->high & fields->more_if) &&
           (!(fields->known & IS_SIZED) || field(instruction->high, 9, 3) <= LARGEST_SINGLE_SIZE);
}

void
mark_registers(const struct instruction *instruction, uint32_t mark, uint32_t *touched,
               uint32_t *written)
{
    const struct opcode_fields *fields = &opcode_table[opcode_of(instruction)];
    struct touching touching = {mark, touched, written};

    if (has_single_registers(instruction, fields))
        mark_single_registers(instruction, fields, &touching);
    else
        visit_registers(instruction, fields, (struct visit){mark_range, &touching});
}

static enum operand_code
code_of_field(const struct opcode_fields *fields, unsigned bit)
{
    switch (bit) {
    case 16:
        return fields->at16;
    case 24:
        return fields->at24;
    case 32:
        return fields->at32;
    case 40:
        return fields->at40;
    case 64:
        return fields->at64;
    }
    return __;
}

/* Records of what copies by itself say one register of an operand that is two, or the first of many. */
static bool
says_less_than_it_reads(unsigned opcode, const struct opcode_fields *fields)
{
    return (fields->predicates & UNI && opcode != OP_LDCU) || opcode == OP_STAS ||
           opcode == OP_REDAS;
}

unsigned
registers_at(const struct instruction *instruction, unsigned bit, bool *is_written)
{
    const struct opcode_fields *fields = &opcode_table[opcode_of(instruction)];
    bool is_known = is_described(fields, instruction) &&
                    !says_less_than_it_reads(opcode_of(instruction), fields);
    enum operand_code code = is_known ? code_of_field(fields, bit) : __;

    *is_written = operand_codes[code].access & WRITTEN;
    return code == __ ? 0 : operand_width(instruction, bit, code);
}

struct nearest {
    const uint32_t *table;
    uint32_t first, distance;
};

/* What is before `first` wraps round to be farther than anything. */
VISITOR void
take_nearest(void *user, bool is_written, unsigned first, unsigned count)
{
    struct nearest *nearest = user;

    for (unsigned k = first; is_written && k < first + count; k++)
        if (nearest->table[k] - nearest->first < nearest->distance)
            nearest->distance = nearest->table[k] - nearest->first;
}

/* Results are in the first field and, of those that have many, in the last. */
uint32_t
distance_of_results(const struct instruction *instruction, const uint32_t *table, uint32_t first)
{
    const struct opcode_fields *fields = &opcode_table[opcode_of(instruction)];
    struct nearest nearest = {table, first, UINT32_MAX};
    struct visit visit = {take_nearest, &nearest};

    if (operand_codes[fields->at16].access & WRITTEN)
        visit_register(instruction, 16, field(instruction->low, 16, 8), fields->at16, visit);
    if (operand_codes[fields->at64].access & WRITTEN)
        visit_register(instruction, 64, field(instruction->high, 0, 8), fields->at64, visit);
    return nearest.distance;
}

struct predicate_masks {
    unsigned written, touched;
};

VISITOR void
note_predicates(void *user, bool is_written, unsigned first, unsigned count)
{
    struct predicate_masks *masks = user;
    unsigned mask = ((1u << count) - 1) << (first - PREDICATES);

    masks->touched |= mask;
    masks->written |= is_written ? mask : 0;
}

unsigned
predicates_touched(const struct instruction *instruction)
{
    struct predicate_masks masks = {0, 0};

    visit_predicates(instruction, opcode_table[opcode_of(instruction)].predicates,
                     (struct visit){note_predicates, &masks});
    return masks.touched;
}

unsigned
predicates_written(const struct instruction *instruction)
{
    unsigned code = opcode_table[opcode_of(instruction)].predicates;
    struct predicate_masks masks = {0, 0};

    if (code & (W81 | W84 | ALL_WRITTEN))
        visit_predicates(instruction, code, (struct visit){note_predicates, &masks});
    return masks.written;
}

/* Does the operand in the field at bit `first` hold R1? */
static bool
holds_stack_pointer(const struct instruction *instruction, unsigned first, enum operand_code code)
{
    enum { STACK_POINTER = 1 };
    unsigned number = bits_of(instruction, first, 8);

    return number <= STACK_POINTER && code != __ && !(operand_codes[code].access & UNIFORM) &&
           number + operand_width(instruction, first, code) > STACK_POINTER;
}

bool
uses_stack_pointer(const struct instruction *instruction)
{
    const struct opcode_fields *fields = &opcode_table[opcode_of(instruction)];

    return holds_stack_pointer(instruction, 16, fields->at16) ||
           holds_stack_pointer(instruction, 24, fields->at24) ||
           holds_stack_pointer(instruction, 32, fields->at32) ||
           holds_stack_pointer(instruction, 40, fields->at40) ||
           holds_stack_pointer(instruction, 64, fields->at64);
}

bool
ranges_overlap(const struct register_range *a, unsigned a_count, const struct register_range *b,
               unsigned b_count)
{
    for (unsigned i = 0; i < a_count; i++) {
        unsigned first = a[i].first, end = first + a[i].count;
        for (unsigned k = 0; k < b_count; k++)
            if (first < (unsigned)b[k].first + b[k].count && b[k].first < end)
                return true;
    }
    return false;
}
