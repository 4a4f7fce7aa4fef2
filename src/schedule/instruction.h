/*
 * instruction.h: the fields of a 128-bit instruction that scheduling is about.
 *
 * An instruction waits for the scoreboards of its wait mask before it is issued. One with a write
 * scoreboard counts it up when issued and down when its results are there; with a read scoreboard,
 * down when its operands have been read. There are six scoreboards; 7 stands for none.
 */
#ifndef CULD_SCHEDULE_INSTRUCTION_H
#define CULD_SCHEDULE_INSTRUCTION_H

#include "base/bytes.h"

#define INSTRUCTION_SIZE 16
#define SCOREBOARDS 6
#define ALL_SCOREBOARDS ((1u << SCOREBOARDS) - 1)
#define NO_SCOREBOARD 7

struct instruction {
    uint64_t low, high;
};

enum opcode {
    OP_IMMA = 0x237,
    OP_HMMA = 0x23c,
    OP_QMMA = 0x27a,
    OP_LDC = 0xb82,
    OP_LDCU = 0x7ac,
    OP_SUST = 0xf9d,
    OP_SUST_FORMATTED = 0xf9b,
    OP_SURED = 0xf9f,
    OP_NOP = 0x918,
    OP_S2R = 0x919,
    OP_DEPBAR = 0x91a,
    OP_ENDCOLLECTIVE = 0x91b,
    OP_CALL_REGISTER = 0x343,
    OP_CALL_REGISTER_RELATIVE = 0x344,
    OP_CALL_ABSOLUTE = 0x943,
    OP_CALL_RELATIVE = 0x944,
    OP_BSYNC = 0x941,
    OP_BSSY = 0x945,
    OP_YIELD = 0x946,
    OP_BRA = 0x947,
    OP_BRA_UNIFORM = 0x547,
    OP_WARPSYNC = 0x348,
    OP_RPCMOV_SAVE = 0x352,
    OP_WARPSYNC_ALL = 0x948,
    OP_BRX = 0x949,
    OP_BRX_UNIFORM = 0x958,
    OP_EXIT = 0x94d,
    OP_LEPC = 0x94e,
    OP_RETURN = 0x950,
    OP_CCTL = 0x98f,
    OP_FENCE = 0x3c6,
    OP_MEMBAR = 0x992,
    OP_ERRBAR = 0x9ab,
    OP_CGAERRBAR = 0x5ab,
    OP_LDGSTS = 0xfae,
    OP_LDGDEPBAR = 0x9af,
    OP_SYNCS_TEST = 0x5a7,
    OP_SYNCS_ARRIVE = 0x9a7,
    OP_SYNCS_CONTROL = 0x9b1,
    OP_SYNCS_EXCHANGE = 0x5b2,
    OP_STAS = 0xdbd,
    OP_REDAS = 0xdbe,
    OP_UTMACMDFLUSH = 0x9b7
};

static inline unsigned
field(uint64_t word, unsigned first, unsigned width)
{
    return (unsigned)(word >> first & (((uint64_t)1 << width) - 1));
}

static inline unsigned
opcode_of(const struct instruction *instruction)
{
    return field(instruction->low, 0, 12);
}

/* The predicate that guards it and, in bit 3, whether it must be false; 7 is "always". */
static inline unsigned
guard_of(const struct instruction *instruction)
{
    return field(instruction->low, 12, 4);
}

static inline bool
is_guarded(const struct instruction *instruction)
{
    return guard_of(instruction) != 7;
}

static inline unsigned
stall_of(const struct instruction *instruction)
{
    return field(instruction->high, 41, 4);
}

static inline unsigned
write_scoreboard(const struct instruction *instruction)
{
    return field(instruction->high, 46, 3);
}

static inline unsigned
read_scoreboard(const struct instruction *instruction)
{
    return field(instruction->high, 49, 3);
}

#define WAIT_MASK_AT 52 /* bits of the high word */

static inline unsigned
wait_mask(const struct instruction *instruction)
{
    return field(instruction->high, WAIT_MASK_AT, 6);
}

/* The scoreboards for which DEPBAR waits; 0: it counts what is under way on one. */
static inline unsigned
depbar_mask(const struct instruction *instruction)
{
    return field(instruction->low, 32, SCOREBOARDS);
}

/* The bits that may differ between what came and what is written. */
#define SCOREBOARD_BITS ((uint64_t)0xfff << 46)
#define NO_SCOREBOARD_BITS ((uint64_t)0x03f << 46) /* none is taken or waited for */
#define STALL_BITS ((uint64_t)0xf << 41)

/* A scoreboard is counted up in the cycle after issue: only then can it be waited for. */
#define LEAST_STALL_BEFORE_WAIT 2

/* The scoreboards that an instruction counts up. */
static inline unsigned
scoreboard_mask(const struct instruction *instruction)
{
    unsigned mask = 1u << read_scoreboard(instruction) | 1u << write_scoreboard(instruction);

    return mask & ALL_SCOREBOARDS;
}

/* Those that it has just begun to count up when the next one is issued; found without branches. */
static inline unsigned
early_mask(const struct instruction *instruction)
{
    return scoreboard_mask(instruction) & (0u - (stall_of(instruction) < LEAST_STALL_BEFORE_WAIT));
}

static inline uint64_t
with_stall(uint64_t high, unsigned stall)
{
    /* NOLINTNEXTLINE(clang-analyzer-core.UndefinedBinaryOperatorResult): 4 bits at 41 fit into 64 */
    return (high & ~STALL_BITS) | (uint64_t)stall << 41;
}

static inline uint64_t
with_scoreboards(uint64_t high, unsigned write, unsigned read, unsigned wait)
{
    return (high & ~SCOREBOARD_BITS) | (uint64_t)write << 46 | (uint64_t)read << 49 |
           (uint64_t)wait << WAIT_MASK_AT;
}

/* Distances are in instructions that decide where to go on: a range of opcodes of its own. */
#define OPCODE_MAY_HOLD_DISTANCE(opcode) (((opcode) >> 6 & 7) == 5)

static inline bool
may_hold_distance(const struct instruction *instruction)
{
    return OPCODE_MAY_HOLD_DISTANCE(opcode_of(instruction));
}

/* LDC R1: what every kernel begins with. */
static inline bool
loads_stack_pointer(const struct instruction *instruction)
{
    return field(instruction->low, 0, 24) == 0x017b82;
}

static inline struct instruction
read_instruction(const uint8_t *at)
{
    return (struct instruction){read_u64(at), read_u64(at + 8)};
}

static inline void
write_instruction(uint8_t *at, const struct instruction *instruction)
{
    write_u64(at, instruction->low);
    write_u64(at + 8, instruction->high);
}

#endif
