/*
 * opcodes.h: which fields of an instruction name registers, by its opcode.
 *
 * Found by comparing instructions with what a disassembler shows of them; docs/leaf-kernels.md says
 * how. An opcode that is not in the table is not known, and a kernel that has it is left alone.
 */
#ifndef CULD_SCHEDULE_OPCODES_H
#define CULD_SCHEDULE_OPCODES_H

#include "schedule/operands.h"

/*
 * What one field of eight bits names. The letter says how: D a general register written, E a uniform
 * one written, R a general register read, U a uniform one read, V a uniform one read if bit 91 is
 * set. The rest says how many registers in a row: a number, or what the number depends on.
 */
enum operand_code {
    __, /* nothing */
    D1,
    D2,
    D4,
    DV, /* two if bit 80 is set */
    DW, /* two if bit 75 is set */
    DL, /* two if bit 74 is set */
    DH, /* accumulators: four of 32 bits, two of 16 */
    DQ, /* the same of QMMA */
    DN, /* matrices: one, two, four; twice as many if they are of bytes and wide */
    DM, /* memory: by the size of access */
    DA, /* integer atomics: by size */
    DB, /* floating-point atomics: by format */
    DG, /* the same, of what several devices sum up, which may be of bytes */
    DT, /* textures: by component mask; two in the first field, the rest in the second */
    E1,
    E2,
    EM,
    EV, /* as DV */
    EL, /* as DL */
    R1,
    R2,
    R4,
    RV, /* as DV */
    RQ, /* two if bit 73 is set */
    RL, /* as DL */
    RF, /* two if the source has 64 bits */
    RH, /* as DH */
    RJ, /* as DQ */
    RN, /* as DN */
    RG, /* first factor of a product of matrices: four, or two of the smaller shape */
    RK, /* second factor: half of it */
    RM, /* as DM */
    RA, /* an address: two if bit 72 is set */
    RI, /* as DA */
    RB, /* as DB */
    RT, /* coordinates of a texture */
    RO, /* level, offsets and what is compared with: one each, if TEX has them */
    RP, /* the same of TLD4, which has no level */
    RS, /* level, offsets and sample of TLD */
    RC, /* coordinates of TXD, with its offsets */
    RD, /* derivatives of TXD: two for each direction */
    RX, /* what is written to a surface: by component mask */
    RY, /* coordinates of a surface */
    RU, /* what is added to a surface: by format */
    U1,
    U2,
    U8,
    UV,
    UL,
    V1,
    V2,
    UP /* two if bit 76 is set: how to keep it in the cache */
};

/* Which fields of three bits name predicates. */
enum predicate_code {
    W81 = 1,          /* written, at bit 81 */
    W84 = 2,          /* written, at bit 84 */
    R87 = 4,          /* read, at bit 87 */
    R77 = 8,          /* read, at bit 77 */
    R68 = 16,         /* read, at bit 68; uniform if bit 67 is set and the others are not */
    R24 = 32,         /* a uniform one read, at bit 24 */
    UNI = 64,         /* guard and all others are uniform predicates */
    UNI_RESULT = 128, /* only those written are */
    ALL_READ = 256,
    ALL_WRITTEN = 512
};

/* What can be told of an instruction by its opcode. */
enum knowledge {
    IS_KNOWN = 1,
    IS_PLAIN =
        2, /* no flag is set for which it would be looked for, and it cannot hold a distance */
    IS_SIMPLE =
        4, /* no registers but single general ones, and maybe a uniform one at bit 32, unless a bit
                      of `more_if` is set; none written but in the first field */
    IS_SIZED = 16,  /* ... unless the size of access says that there are more */
    TRANSFERS = 32, /* control: see blocks.h */
    NAMES_PLAINLY =
        64,      /* each field that may name a general register does, if it is not RZ; only the
                           first one is written */
    IS_EVENT = 8 /* transfers control, counts scoreboards down or is WARPSYNC: see code.events */
};

struct opcode_fields {
    uint8_t known;                        /* enum knowledge */
    uint8_t at16, at24, at32, at40, at64; /* enum operand_code */
    uint16_t predicates;                  /* enum predicate_code */
    struct traits traits;
    uint32_t more_if; /* bits of the high word: operands are wider, or there are more */
    /* By the bytes of register_fields(). */
    uint64_t not_general; /* all ones where it is no general register */
    uint64_t single;      /* the last bit of each that is one general register */
};

/* By the twelve bits of the opcode. */
extern const struct opcode_fields opcode_table[4096];

/* Is everything known of an instruction? Products of sparse matrices have more operands than the
   table says. */
static inline bool
is_described(const struct opcode_fields *fields, const struct instruction *instruction)
{
    return fields->known & IS_KNOWN &&
           !(fields->traits.flags & MAY_BE_SPARSE && field(instruction->high, 9, 1));
}

/* The bits from the first field on that may name a register: fields at 16 to 40 are the first bytes, that at
   64 is the seventh. */
static inline uint64_t
register_fields(const struct instruction *instruction)
{
    return instruction->low >> 16 | instruction->high << 48;
}

/* Does a field name R1, or R0 and maybe more? Most instructions can be told from those that use R1 by
   this look. */
static inline bool
may_name_stack_pointer(const struct opcode_fields *fields, const struct instruction *instruction)
{
    uint64_t named = register_fields(instruction);
    /* 0 where there is one: R1, of several registers also R0 */
    uint64_t differs =
        ((named | fields->not_general) ^ fields->single) & (0xfefefefefefefefe | fields->single);

    return (differs - 0x0101010101010101) & ~differs & 0x8080808080808080; /* is a byte of it 0? */
}

#endif
