#include "schedule/opcodes.h"

/* Where nothing was measured. */
#define USUAL 30

#define OTHER(code)                                                                                \
    (((code) >= D1 && (code) <= DT) || ((code) >= R1 && (code) <= RU) ? 0 : (uint64_t)UINT8_MAX)
#define SINGLE(code) ((code) == D1 || (code) == R1 ? (uint64_t)1 : 0)
#define NO_FIELDS 0xff00ffff00000000 /* of the bytes of register_fields() */
#define WITHOUT_GENERAL(a16, a24, a32, a40, a64)                                                   \
    .not_general = OTHER(a16) | OTHER(a24) << 8 | OTHER(a32) << 16 | OTHER(a40) << 24 |            \
                   OTHER(a64) << 48 | NO_FIELDS,                                                   \
    .single =                                                                                      \
        SINGLE(a16) | SINGLE(a24) << 8 | SINGLE(a32) << 16 | SINGLE(a40) << 24 | SINGLE(a64) << 48

#define LOOKED_FOR (MAY_BE_SPARSE | IS_LANDMARK | COUNTS_DOWN | FETCHES)
#define KNOWN(opcode, marks)                                                                       \
    (IS_KNOWN | ((marks)&COUNTS_DOWN || (opcode) == OP_WARPSYNC ? IS_EVENT : 0) |                  \
     ((marks)&LOOKED_FOR || OPCODE_MAY_HOLD_DISTANCE(opcode) ? 0 : IS_PLAIN))

#define BY_SIZE(code) ((code) == DM || (code) == RM ? IS_SIZED : 0)
#define IS_PLAIN_RESULT(code)                                                                      \
    ((code) == D1 || (code) == DV || (code) == DW || (code) == DL || (code) == DM)
#define IS_PLAIN_SOURCE(code)                                                                      \
    ((code) == __ || (code) == R1 || (code) == RV || (code) == RQ || (code) == RL ||               \
     (code) == RA || (code) == V1 || (code) == V2)
#define SIMPLE(a16, a24, a32, a40, a64)                                                            \
    ((IS_PLAIN_RESULT(a16) || IS_PLAIN_SOURCE(a16)) && IS_PLAIN_SOURCE(a24) &&                     \
             (IS_PLAIN_SOURCE(a32) || (a32) == U1 || (a32) == RM) && IS_PLAIN_SOURCE(a40) &&       \
             IS_PLAIN_SOURCE(a64)                                                                  \
         ? IS_SIMPLE | BY_SIZE(a16) | BY_SIZE(a32)                                                 \
         : 0)

/* By operand_codes: some operands may have no register at all. */
#define IS_NEVER_EMPTY(code) ((code) != DT && (code) != RX)
#define IS_NO_RESULT(code) ((code) < D1 || (code) > DT)
#define PLAINLY(a16, a24, a32, a40, a64)                                                           \
    (IS_NEVER_EMPTY(a16) && IS_NEVER_EMPTY(a24) && IS_NEVER_EMPTY(a32) && IS_NEVER_EMPTY(a64) &&   \
             IS_NO_RESULT(a24) && IS_NO_RESULT(a32) && IS_NO_RESULT(a40) && IS_NO_RESULT(a64)      \
         ? NAMES_PLAINLY                                                                           \
         : 0)

/* See operand_codes. */
#define MORE_IF(code)                                                                              \
    ((code) == DV || (code) == RV   ? 1u << 16                                                     \
     : (code) == V1 || (code) == V2 ? 1u << 27                                                     \
     : (code) == DW                 ? 1u << 11                                                     \
     : (code) == DL || (code) == RL ? 1u << 10                                                     \
     : (code) == RQ                 ? 1u << 9                                                      \
     : (code) == RA                 ? 1u << 8                                                      \
                                    : 0)
#define MORE(a16, a24, a32, a40, a64)                                                              \
    .more_if = MORE_IF(a16) | MORE_IF(a24) | MORE_IF(a32) | MORE_IF(a40) | MORE_IF(a64)

/* An instruction of fixed latency: nobody waits for it. */
#define FAST(opcode, a16, a24, a32, a64, preds)                                                    \
    [opcode] = {.known = KNOWN(opcode, 0) | SIMPLE(a16, a24, a32, __, a64) |                       \
                         PLAINLY(a16, a24, a32, __, a64),                                          \
                .at16 = a16,                                                                       \
                .at24 = a24,                                                                       \
                .at32 = a32,                                                                       \
                .at64 = a64,                                                                       \
                .predicates = preds,                                                               \
                MORE(a16, a24, a32, __, a64),                                                      \
                WITHOUT_GENERAL(a16, a24, a32, __, a64)}

/* Calls and returns. */
#define CALL(opcode)                                                                               \
    [opcode] = {.known = IS_EVENT | TRANSFERS,                                                     \
                .traits = {.flags = TOUCHES_ALL | SYNCHRONISES | IS_LANDMARK}}

#define SLOW(opcode, a16, a24, a32, a40, a64, preds, kind, marks, writes, reads)                   \
    [opcode] = {.known = KNOWN(opcode, marks) | SIMPLE(a16, a24, a32, a40, a64) |                  \
                         ((marks)&MAY_BE_SPARSE ? 0 : PLAINLY(a16, a24, a32, a40, a64)),           \
                .at16 = a16,                                                                       \
                .at24 = a24,                                                                       \
                .at32 = a32,                                                                       \
                .at40 = a40,                                                                       \
                .at64 = a64,                                                                       \
                .predicates = preds,                                                               \
                .traits = {kind, marks, writes, reads},                                            \
                MORE(a16, a24, a32, a40, a64),                                                     \
                WITHOUT_GENERAL(a16, a24, a32, a40, a64)}

/* Control flow. */
#define LANDMARK_AS(opcode, a24, preds, knowledge)                                                 \
    [opcode] = {.known = knowledge,                                                                \
                .at24 = a24,                                                                       \
                .predicates = preds,                                                               \
                .traits = {.flags = IS_LANDMARK},                                                  \
                WITHOUT_GENERAL(__, a24, __, __, __)}
#define LANDMARK(opcode, a24, preds) LANDMARK_AS(opcode, a24, preds, IS_KNOWN)
#define TRANSFER(opcode, a24, preds)                                                               \
    LANDMARK_AS(opcode, a24, preds, IS_KNOWN | IS_EVENT | TRANSFERS)

/* The second operand is a register (0x200), a number (0x800) or a uniform register (0xc00). */
#define BINARY(base, d, a, b, u, preds)                                                            \
    FAST(0x200 + base, d, a, b, __, preds), FAST(0x800 + base, d, a, __, __, preds),               \
        FAST(0xc00 + base, d, a, u, __, preds)

#define TERNARY(base, d, a, b, u, c, preds)                                                        \
    FAST(0x200 + base, d, a, b, c, preds), FAST(0x800 + base, d, a, __, c, preds),                 \
        FAST(0xc00 + base, d, a, u, c, preds)

/* The third operand, too, may be a number (0x400) or uniform (0xe00); the second then stands where
   the third would be. */
#define TERNARY_BOTH(base, d, a, b, u, c, preds)                                                   \
    TERNARY(base, d, a, b, u, c, preds), FAST(0x400 + base, d, a, __, b, preds),                   \
        FAST(0xe00 + base, d, a, u, b, preds)

#define UNIFORM_BINARY(base, d, preds)                                                             \
    FAST(0x200 + base, d, U1, U1, __, UNI | (preds)),                                              \
        FAST(0x800 + base, d, U1, __, __, UNI | (preds))

#define UNIFORM_TERNARY(base, preds)                                                               \
    FAST(0x200 + base, E1, U1, U1, U1, UNI | (preds)),                                             \
        FAST(0x800 + base, E1, U1, __, U1, UNI | (preds))

#define SHORT SHORT_LATENCY
#define LONG LONG_LATENCY
#define LATE READS_UNIFORM_LATE
#define ONLY REGISTERS_ONLY
#define SYNC SYNCHRONISES
#define MARK IS_LANDMARK
#define SPARSE MAY_BE_SPARSE

/* Conversions and functions of one operand, in a unit of their own. */
#define CONVERSION(base, d, b, u, writes, reads)                                                   \
    SLOW(0x300 + base, d, __, b, __, __, 0, SHORT, ONLY, writes, reads),                           \
        SLOW(0x900 + base, d, __, __, __, __, 0, SHORT, ONLY, writes, reads),                      \
        SLOW(0xd00 + base, d, __, u, __, __, 0, SHORT, ONLY, writes, reads)

#define LOAD(opcode, d, a, b, kind, writes, reads)                                                 \
    SLOW(opcode, d, a, b, __, __, 0, kind, ONLY, writes, reads)

#define STORE(opcode, a, c, reads) SLOW(opcode, __, a, RM, __, c, 0, SHORT, ONLY, USUAL, reads)

/* At a distance of 32 bits, which takes the place of what is stored. */
#define FAR_STORE(opcode, reads) SLOW(opcode, __, RA, __, __, RM, 0, SHORT, ONLY, USUAL, reads)

#define SHUFFLE(opcode, b, c) SLOW(opcode, D1, R1, b, __, c, W81, SHORT, ONLY, 25, 10)

#define ATOMIC(opcode, d, a, b, c, preds, kind, writes, reads)                                     \
    SLOW(opcode, d, a, b, __, c, preds, kind, 0, writes, reads)

#define FETCH(opcode, a, b) SLOW(opcode, DT, a, b, U2, DT, 0, TEXTURE, LATE | FETCHES, USUAL, 76)

#define BULK(opcode, b, c) SLOW(opcode, __, U2, b, UP, c, UNI, SHORT, LATE, USUAL, USUAL)

#define SYNCHRONISER(opcode, d, a, b, c, preds, marks)                                             \
    SLOW(opcode, d, a, b, __, c, preds, SHORT, SYNC | (marks), USUAL, USUAL)

#define DOUBLE(opcode, d, b, c, preds)                                                             \
    SLOW(opcode, d, R2, b, __, c, preds, SHORT, ONLY, USUAL, USUAL)

const struct opcode_fields opcode_table[4096] = {
    /* Moves, selections, comparisons. */
    FAST(0x202, DV, __, RV, __, 0),                      /* MOV */
    FAST(0x402, D2, __, __, __, 0),                      /* MOV of a number of 64 bits */
    FAST(0x802, DV, __, __, __, 0),                      /* MOV */
    FAST(0xc02, DV, __, UV, __, 0),                      /* MOV */
    FAST(0x803, D1, R1, __, __, ALL_READ),               /* P2R */
    FAST(0x804, __, R1, __, __, ALL_WRITTEN),            /* R2P */
    FAST(0x805, DV, __, __, __, 0),                      /* CS2R */
    FAST(0x806, D1, __, __, __, W81 | R87),              /* VOTE */
    BINARY(0x07, D1, R1, R1, U1, R87),                   /* SEL */
    FAST(0x407, D2, R2, __, __, R87),                    /* SEL, 64 bits */
    FAST(0x607, D2, R2, R2, __, R87),                    /* SEL, 64 bits */
    BINARY(0x08, D1, R1, R1, U1, R87),                   /* FSEL */
    BINARY(0x09, D1, R1, R1, U1, R87),                   /* FMNMX */
    BINARY(0x0a, D1, R1, R1, U1, R87),                   /* FSET */
    BINARY(0x0b, __, R1, R1, U1, W81 | W84 | R87),       /* FSETP */
    BINARY(0x0c, __, RV, RV, UV, W81 | W84 | R87 | R68), /* ISETP */
    TERNARY(0x0f, D1, R1, R1, U1, R1, 0),                /* VIMNMX3 */

    /* Integers. */
    TERNARY(0x10, D1, R1, R1, U1, R1, W81 | W84 | R87 | R77), /* IADD3 */
    TERNARY(0x11, D1, R1, R1, U1, R1, W81 | R87),             /* LEA */
    TERNARY(0x12, D1, R1, R1, U1, R1, W81 | R87),             /* LOP3 */
    BINARY(0x13, D1, __, R1, U1, 0),                          /* IABS */
    TERNARY_BOTH(0x14, D1, R1, R1, U1, R1, 0),                /* VABSDIFF */
    TERNARY(0x15, D1, R1, R1, U1, R1, 0),                     /* VABSDIFF4 */
    TERNARY_BOTH(0x16, D1, R1, R1, U1, R1, 0),                /* PRMT */
    BINARY(0x17, DL, RL, RL, UL, W81 | W84 | R87 | R77),      /* IMNMX */
    TERNARY_BOTH(0x19, D1, R1, R1, U1, R1, 0),                /* SHF */
    BINARY(0x1a, D1, R1, R1, U1, 0),                          /* SGXT */
    BINARY(0x1b, D1, R1, R1, U1, 0),                          /* BMSK */
    FAST(0x81c, __, __, __, __, W81 | W84 | R87 | R77 | R68), /* PLOP3 */
    BINARY(0x1f, __, R1, R1, U1, W81 | W84),                  /* of saturated sums */
    TERNARY_BOTH(0x24, D1, R1, R1, U1, R1, R87),              /* IMAD */
    FAST(0x225, D2, R1, R1, R2, W81 | R87),                   /* IMAD.WIDE */
    FAST(0x425, D2, R1, __, R1, W81 | R87),                   /* IMAD.WIDE */
    FAST(0x825, D2, R1, __, R2, W81 | R87),                   /* IMAD.WIDE */
    FAST(0xc25, D2, R1, U1, R2, W81 | R87),                   /* IMAD.WIDE */
    FAST(0xe25, D2, R1, U2, R1, W81 | R87),                   /* IMAD.WIDE */
    TERNARY(0x26, D1, R1, R1, U1, R1, 0),                     /* IDP */
    TERNARY(0x27, D1, R1, R1, U1, R2, W81 | R87),             /* IMAD.HI */
    BINARY(0x35, D2, R2, R2, U2, 0),                          /* IADD.64 */
    BINARY(0x36, D1, R1, R1, U1, 0),                          /* VIADD */
    BINARY(0x38, D1, __, R1, U1, 0),                          /* I2I */
    TERNARY_BOTH(0x46, D1, R1, R1, U1, R1, R87),              /* VIADDMNMX */
    BINARY(0x48, D1, R1, R1, U1, R87),                        /* VIMNMX */

    /* Floating point. */
    BINARY(0x20, D1, R1, R1, U1, 0),               /* FMUL */
    FAST(0x221, D1, R1, R1, __, 0),                /* FADD */
    FAST(0x421, D1, R1, __, __, 0),                /* FADD */
    FAST(0xe21, D1, R1, U1, __, 0),                /* FADD */
    TERNARY_BOTH(0x23, D1, R1, R1, U1, R1, 0),     /* FFMA */
    BINARY(0x30, D1, R1, R1, U1, 0),               /* HADD2 */
    FAST(0x430, D1, R1, __, __, 0),                /* HADD2 */
    FAST(0xe30, D1, R1, U1, __, 0),                /* HADD2 */
    TERNARY_BOTH(0x31, D1, R1, R1, U1, R1, 0),     /* HFMA2 */
    BINARY(0x32, D1, R1, R1, U1, 0),               /* HMUL2 */
    BINARY(0x33, D1, R1, R1, U1, R87),             /* HSET2 */
    FAST(0x433, D1, R1, __, __, R87),              /* HSET2 */
    BINARY(0x34, __, R1, R1, U1, W81 | W84 | R87), /* HSETP2 */
    FAST(0x434, __, R1, __, __, W81 | W84 | R87),  /* HSETP2 */
    TERNARY_BOTH(0x3e, D1, R1, R1, U1, R1, 0),     /* F2FP, the third: random bits */
    BINARY(0x40, D1, R1, R1, U1, R87),             /* HMNMX2 */
    BINARY(0x45, D1, __, R1, U1, 0),               /* I2FP */
    TERNARY(0x49, D2, R2, R2, U2, R2, 0),          /* FFMA2 */
    BINARY(0x4a, D2, R2, R2, U2, 0),               /* FMUL2 */
    FAST(0x24b, D2, R2, R2, __, 0),                /* FADD2 */
    TERNARY(0x76, D1, R1, R1, U1, R1, 0),          /* FMNMX3 */
    DOUBLE(0x228, D2, R2, __, 0),                  /* DMUL */
    DOUBLE(0x828, D2, __, __, 0),                  /* DMUL */
    DOUBLE(0xc28, D2, U2, __, 0),                  /* DMUL */
    DOUBLE(0x229, D2, __, R2, 0),                  /* DADD */
    DOUBLE(0x429, D2, __, __, 0),                  /* DADD */
    DOUBLE(0xe29, D2, U2, __, 0),                  /* DADD */
    DOUBLE(0x22a, __, R2, __, W81 | W84 | R87),    /* DSETP */
    DOUBLE(0x42a, __, __, __, W81 | W84 | R87),    /* DSETP */
    DOUBLE(0xe2a, __, U2, __, W81 | W84 | R87),    /* DSETP */
    DOUBLE(0x22b, D2, R2, R2, 0),                  /* DFMA */
    DOUBLE(0x42b, D2, __, R2, 0),                  /* DFMA */
    DOUBLE(0x82b, D2, __, R2, 0),                  /* DFMA */
    DOUBLE(0xc2b, D2, U2, R2, 0),                  /* DFMA */
    DOUBLE(0xe2b, D2, U2, R2, 0),                  /* DFMA */

    /* Matrices. */
    LOAD(0x83b, DN, R1, V1, SHORT, USUAL, USUAL),                           /* LDSM */
    SLOW(0x844, __, R1, RN, __, V1, 0, SHORT, ONLY, USUAL, USUAL),          /* STSM */
    FAST(0x23a, DW, R1, __, __, 0),                                         /* MOVM */
    SLOW(0x237, D4, RG, RK, __, R4, 0, SHORT, ONLY | SPARSE, USUAL, USUAL), /* IMMA */
    SLOW(0x23c, DH, RG, RK, __, RH, 0, SHORT, ONLY | SPARSE, USUAL, USUAL), /* HMMA */
    SLOW(0x23f, D4, R2, R2, __, R4, 0, SHORT, ONLY, USUAL, USUAL),          /* DMMA */
    SLOW(0x27a, DQ, RG, RK, __, RJ, 0, SHORT, SPARSE, 0, 0),                /* QMMA */

    /* Uniform registers. */
    UNIFORM_BINARY(0x51, E1, R87),                                  /* UFSEL */
    FAST(0x253, __, U1, U1, __, UNI | W81 | W84 | R87),             /* UFSETP */
    FAST(0x853, __, U1, __, __, UNI | W81 | W84 | R87),             /* UFSETP */
    FAST(0x254, E1, U1, __, U1, UNI),                               /* UFADD */
    FAST(0x454, E1, U1, __, __, UNI),                               /* UFADD */
    FAST(0x255, E1, U1, U1, U1, UNI),                               /* UFFMA */
    FAST(0x455, E1, U1, __, U1, UNI),                               /* UFFMA */
    FAST(0x855, E1, U1, __, U1, UNI),                               /* UFFMA */
    FAST(0x856, E1, U1, __, __, UNI),                               /* UFMUL */
    FAST(0x256, E1, U1, U1, __, UNI),                               /* UFMUL */
    FAST(0x25a, E1, __, U1, __, UNI),                               /* UI2F */
    FAST(0x85a, E1, __, __, __, UNI),                               /* UI2F */
    FAST(0x25c, E1, __, U1, __, UNI),                               /* UF2I */
    FAST(0x25e, E1, __, U1, __, UNI),                               /* UI2FP */
    FAST(0x482, E2, __, __, __, UNI),                               /* UMOV of 64 bits */
    FAST(0x882, E1, __, __, __, UNI),                               /* UMOV */
    FAST(0xc82, E1, __, U1, __, UNI),                               /* UMOV */
    FAST(0x883, E1, U1, __, __, UNI | ALL_READ),                    /* UP2UR */
    FAST(0x884, __, U1, __, __, UNI | ALL_WRITTEN),                 /* UR2UP */
    FAST(0x886, E1, __, __, __, UNI_RESULT | W81 | R87),            /* VOTEU */
    FAST(0x285, EL, UL, UL, __, UNI | W81 | W84 | R87 | R77),       /* UIMNMX */
    FAST(0x885, EL, UL, __, __, UNI | W81 | W84 | R87 | R77),       /* UIMNMX */
    UNIFORM_BINARY(0x87, E1, R87),                                  /* USEL */
    FAST(0x487, E2, U2, __, __, UNI | R87),                         /* USEL, 64 bits */
    FAST(0xc87, E2, U2, U2, __, UNI | R87),                         /* USEL, 64 bits */
    UNIFORM_BINARY(0x8c, __, W81 | W84 | R87 | R68),                /* UISETP */
    UNIFORM_TERNARY(0x90, W81 | W84 | R87 | R77),                   /* UIADD3 */
    UNIFORM_TERNARY(0x91, W81 | R87),                               /* ULEA */
    UNIFORM_TERNARY(0x92, W81 | R87),                               /* ULOP3 */
    UNIFORM_TERNARY(0x96, 0),                                       /* UPRMT */
    FAST(0x297, E2, U2, U2, U2, UNI | W81 | W84 | R87 | R77),       /* UIADD3.64 */
    FAST(0x897, E2, U2, __, U2, UNI | W81 | W84 | R87 | R77),       /* UIADD3.64 */
    FAST(0x8cb, EV, __, __, __, UNI),                               /* CS2UR */
    UNIFORM_BINARY(0x9a, E1, 0),                                    /* USGXT */
    UNIFORM_BINARY(0x9b, E1, 0),                                    /* UBMSK */
    UNIFORM_TERNARY(0x99, 0),                                       /* USHF */
    FAST(0x499, E1, U1, __, U1, UNI),                               /* USHF */
    FAST(0x89c, __, __, __, __, UNI | W81 | W84 | R87 | R77 | R68), /* UPLOP3 */
    UNIFORM_TERNARY(0xa4, R87),                                     /* UIMAD */
    FAST(0x4a4, E1, U1, __, U1, UNI | R87),                         /* UIMAD */
    FAST(0x2a5, E2, U1, U1, U2, UNI | W81 | R87),                   /* UIMAD.WIDE */
    FAST(0x8a5, E2, U1, __, U2, UNI | W81 | R87),                   /* UIMAD.WIDE */
    FAST(0x2a6, E1, U1, U1, U2, UNI | W81 | R87),                   /* UIMAD.HI */
    FAST(0x2bd, E1, __, U1, __, UNI),                               /* UFLO */
    FAST(0x2be, E1, __, U1, __, UNI),                               /* UBREV */
    FAST(0x2bf, E1, __, U1, __, UNI),                               /* UPOPC */
    FAST(0x2ca, E1, R1, __, __, 0),                                 /* R2UR */
    FAST(0x82f, E1, __, __, __, W81),                               /* ELECT */
    SLOW(0x2cc, E1, R1, __, __, __, 0, SHORT, ONLY, 96, USUAL),     /* CREDUX */
    SLOW(0x3c4, E1, R1, __, __, __, 0, SHORT, ONLY, 96, 44),        /* REDUX */
    SLOW(0x9c3, E1, __, __, __, __, UNI, SHORT, ONLY, 35, USUAL),   /* S2UR */
    SLOW(0x7ac, EM, U1, __, __, __, UNI, SHORT, ONLY, 29, USUAL),   /* LDCU */

    /* Conversions and functions. */
    CONVERSION(0x00, D1, R1, U1, 110, USUAL),                        /* FLO */
    CONVERSION(0x01, D1, R1, U1, USUAL, USUAL),                      /* BREV */
    SLOW(0x302, __, R1, R1, __, __, W81, SHORT, ONLY, USUAL, USUAL), /* FCHK */
    SLOW(0x902, __, R1, __, __, __, W81, SHORT, ONLY, USUAL, USUAL), /* FCHK */
    SLOW(0xd02, __, R1, U1, __, __, W81, SHORT, ONLY, USUAL, USUAL), /* FCHK */
    CONVERSION(0x04, D1, R1, U1, 63, 101),                           /* F2F */
    CONVERSION(0x05, D1, R1, U1, 1, 100),                            /* F2I */
    CONVERSION(0x06, D1, R1, U1, 24, USUAL),                         /* I2F */
    CONVERSION(0x07, D1, R1, U1, USUAL, USUAL),                      /* FRND */
    CONVERSION(0x08, D1, R1, U1, 20, 16),                            /* MUFU */
    CONVERSION(0x09, D1, R1, U1, USUAL, USUAL),                      /* POPC */
    CONVERSION(0x10, DW, RF, U2, 63, 101),                           /* F2F, 64 bits */
    CONVERSION(0x11, DW, RF, U2, 1, 100),                            /* F2I, 64 bits */
    CONVERSION(0x12, DW, RF, U2, 24, USUAL),                         /* I2F, 64 bits */
    CONVERSION(0x13, D2, R2, U2, USUAL, USUAL),                      /* FRND, 64 bits */
    SLOW(0x919, D1, __, __, __, __, 0, SHORT, ONLY, 43, USUAL),      /* S2R */

    /* Across the warp. */
    SHUFFLE(0x389, R1, R1),                                          /* SHFL */
    SHUFFLE(0x589, R1, __),                                          /* SHFL */
    SHUFFLE(0x989, __, R1),                                          /* SHFL */
    SHUFFLE(0xf89, __, __),                                          /* SHFL */
    SLOW(0x3a1, D1, RQ, __, __, __, W81, SHORT, ONLY, USUAL, USUAL), /* MATCH */

    /* Memory. */
    LOAD(0x980, DM, RA, V2, LONG, 560, USUAL),                 /* LD */
    LOAD(0x981, DM, RA, V2, LONG, 409, 12),                    /* LDG */
    LOAD(0x380, DM, RA, __, LONG, 560, USUAL),                 /* LD */
    LOAD(0x381, DM, RA, __, LONG, 409, 12),                    /* LDG */
    LOAD(0x983, DM, R1, V1, LONG, 369, USUAL),                 /* LDL */
    LOAD(0x984, DM, R1, V1, SHORT, 47, 16),                    /* LDS */
    LOAD(0xb82, DM, R1, __, SHORT, 59, 32),                    /* LDC */
    STORE(0x985, RA, V2, USUAL),                               /* ST */
    STORE(0x986, RA, V2, 20),                                  /* STG */
    FAR_STORE(0x385, USUAL),                                   /* ST */
    FAR_STORE(0x386, 20),                                      /* STG */
    STORE(0x387, R1, __, 20),                                  /* STL */
    STORE(0x987, R1, V1, 20),                                  /* STL */
    STORE(0x388, R1, __, 20),                                  /* STS */
    STORE(0x988, R1, V1, 20),                                  /* STS */
    SLOW(0x97e, D4, R2, V2, __, D4, 0, LONG, 0, 409, 33),      /* LDG, 256 bits */
    SLOW(0x97f, R4, R2, R4, __, V2, 0, SHORT, 0, USUAL, 28),   /* STG, 256 bits */
    SLOW(0x9a4, DA, RA, __, __, V2, 0, LONG, 0, 409, 33),      /* LDGMC of integers */
    SLOW(0x9a5, DG, RA, __, __, V2, 0, LONG, 0, 409, 33),      /* LDGMC */
    SLOW(0xfae, R1, R2, __, __, V2, R87, SHORT, 0, USUAL, 35), /* LDGSTS */
    ATOMIC(0x98a, DA, RA, RI, V2, W81, LONG, 353, 40),         /* ATOM */
    ATOMIC(0x38b, DA, RA, RI, RI, W81, LONG, 353, 40),         /* ATOM */
    ATOMIC(0x9a2, DB, RA, RB, V2, W81, LONG, 353, 40),         /* ATOM */
    ATOMIC(0x9a8, DA, RA, RI, V2, W81, LONG, 353, 40),         /* ATOMG */
    ATOMIC(0x3a8, DA, RA, RI, __, W81, LONG, 353, 40),         /* ATOMG */
    ATOMIC(0x3a9, DA, RA, RI, RI, W81, LONG, 353, 40),         /* ATOMG */
    ATOMIC(0x9a3, DB, RA, RB, V2, W81, LONG, 353, 40),         /* ATOMG */
    ATOMIC(0x38c, DA, R1, RI, __, 0, SHORT, 20, USUAL),        /* ATOMS */
    ATOMIC(0x98c, DA, R1, RI, V1, 0, SHORT, 20, USUAL),        /* ATOMS */
    ATOMIC(0xf8c, DA, R1, __, V1, 0, SHORT, 20, USUAL),        /* ATOMS */
    ATOMIC(0x38d, DA, R1, RI, RI, 0, SHORT, 20, USUAL),        /* ATOMS */
    ATOMIC(0x58d, __, R1, RI, RI, W81, SHORT, 20, USUAL),      /* ATOMS */
    ATOMIC(0x98e, __, RA, RI, V2, 0, SHORT, USUAL, 47),        /* REDG */
    ATOMIC(0x9a6, __, RA, RB, V2, 0, SHORT, USUAL, 47),        /* REDG */
    ATOMIC(OP_STAS, __, R2, RM, __, 0, SHORT, USUAL, USUAL),   /* STAS */
    ATOMIC(OP_REDAS, __, R2, RI, __, 0, SHORT, USUAL, USUAL),  /* REDAS */
    FAST(0x3aa, D1, R2, __, __, W81),                          /* QSPC */

    /* Textures and surfaces. */
    FETCH(0xf60, RT, RO),                                                      /* TEX */
    FETCH(0xf63, RT, RP),                                                      /* TLD4 */
    FETCH(0xf66, RT, RS),                                                      /* TLD */
    FETCH(0xf6c, RC, RD),                                                      /* TXD */
    FETCH(0xf6f, R1, __),                                                      /* TXQ */
    SLOW(0xf99, DM, RY, __, U1, __, 0, TEXTURE, LATE | FETCHES, USUAL, USUAL), /* SULD */
    SLOW(0xf9b, __, RY, RX, U1, __, 0, SHORT, LATE, USUAL, USUAL),             /* SUST */
    SLOW(0xf9d, __, RY, RM, U1, __, 0, SHORT, LATE, USUAL, USUAL),             /* SUST */
    SLOW(0xf9f, __, RY, RU, U1, __, 0, SHORT, LATE, USUAL, USUAL),             /* SURED */

    /* Copies that run by themselves. */
    BULK(0x5b4, U8, __), /* UTMALDG */
    BULK(0x3b4, U8, U1), /* UTMALDG, to several blocks */
    BULK(0x3b5, U8, __), /* UTMASTG */
    BULK(0x3b6, U8, __), /* UTMAREDG */
    BULK(0x5b8, U8, __), /* UTMAPF */
    SLOW(0x9b9, __, U2, __, __, __, UNI, SHORT, LATE, USUAL, USUAL), /* UTMACCTL */
    BULK(0x3ba, U2, U1),                                             /* UBLKCP */
    BULK(0x3bb, U2, U1),                                             /* UBLKRED */
    BULK(0x3bc, __, U1),                                             /* UBLKPF */

    /* Control. */
    FAST(0x918, __, __, __, __, 0),   /* NOP */
    LANDMARK(0x941, __, 0),           /* BSYNC */
    FAST(0x942, __, __, __, __, R87), /* BREAK */
    LANDMARK(0x945, __, 0),           /* BSSY */
    TRANSFER(0x547, __, R24),         /* BRA.U */
    TRANSFER(0x947, V1, R87),         /* BRA */
    TRANSFER(0x949, R2, R87),         /* BRX */
    TRANSFER(0x958, U2, R87),         /* BRXU */
    TRANSFER(0x94d, __, R87),         /* EXIT */
    FAST(OP_LEPC, D2, __, __, __, 0), /* LEPC */
    FAST(0x355, D1, __, __, __, 0),   /* BMOV */
    FAST(0x352, __, __, R1, __, 0),   /* RPCMOV */
    FAST(0x353, D1, __, __, __, 0),   /* RPCMOV */
    FAST(0x356, __, __, R1, __, 0),   /* BMOV */

    /* Of calls nothing is known but that. */
    CALL(OP_CALL_REGISTER), CALL(OP_CALL_REGISTER_RELATIVE), CALL(OP_CALL_ABSOLUTE),
    CALL(OP_CALL_RELATIVE), CALL(OP_RETURN),

    /* Order between threads and memories. */
    SLOW(0x31d, __, __, R1, __, __, R87, SHORT, 0, USUAL, USUAL),               /* BAR */
    SLOW(0x51d, __, __, R1, __, __, R87, SHORT, 0, USUAL, USUAL),               /* BAR */
    SLOW(0xb1d, __, __, __, __, __, R87, SHORT, 0, USUAL, USUAL),               /* BAR */
    SYNCHRONISER(0x31c, D1, __, __, __, W81, 0),                                /* B2R */
    SYNCHRONISER(0x348, __, R1, __, __, 0, MARK),                               /* WARPSYNC */
    LANDMARK(0x948, __, 0),                                                     /* WARPSYNC */
    SYNCHRONISER(0x91b, __, __, __, __, 0, 0),                                  /* ENDCOLLECTIVE */
    SYNCHRONISER(0x91a, __, __, __, __, 0, COUNTS_DOWN),                        /* DEPBAR */
    SYNCHRONISER(0x992, __, __, __, __, 0, 0),                                  /* MEMBAR */
    SYNCHRONISER(0x9ab, __, __, __, __, 0, 0),                                  /* ERRBAR */
    SYNCHRONISER(0x5ab, __, __, __, __, 0, 0),                                  /* CGAERRBAR */
    SYNCHRONISER(0x98f, __, RA, __, V2, 0, 0),                                  /* CCTL */
    SYNCHRONISER(0x540, __, U2, __, __, 0, 0),                                  /* CCTL */
    SYNCHRONISER(0x3c6, __, __, __, __, 0, 0),                                  /* FENCE */
    SYNCHRONISER(0x9b0, __, R1, __, V1, 0, 0),                                  /* ARRIVES */
    SYNCHRONISER(0x5a7, __, R1, R1, V1, W81, LATE),                             /* SYNCS */
    SYNCHRONISER(0x9a7, D2, R1, R1, V1, 0, LATE),                               /* SYNCS */
    SYNCHRONISER(0x9b1, __, R1, __, V1, 0, LATE),                               /* SYNCS */
    SYNCHRONISER(0x5b2, E2, U1, U2, __, UNI, LATE),                             /* SYNCS */
    SYNCHRONISER(0x3ca, __, U2, U2, __, UNI, LATE),                             /* UGETNEXTWORKID */
    SYNCHRONISER(0x9c7, __, __, __, __, 0, 0),                                  /* UCGABAR_ARV */
    SYNCHRONISER(0xdc7, __, __, __, __, 0, 0),                                  /* UCGABAR_WAIT */
    SYNCHRONISER(0x82d, __, __, __, __, 0, 0),                                  /* PREEXIT */
    SYNCHRONISER(0x82e, __, __, __, __, 0, 0),                                  /* ACQBULK */
    SYNCHRONISER(0x35d, __, __, R1, __, 0, 0),                                  /* NANOSLEEP */
    SYNCHRONISER(0x95d, __, __, __, __, 0, 0),                                  /* NANOSLEEP */
    FAST(0x946, __, __, __, __, 0),                                             /* YIELD */
    SYNCHRONISER(0x95c, __, __, __, __, 0, 0),                                  /* BPT */
    SYNCHRONISER(0x801, __, __, __, __, 0, 0),                                  /* PMTRIG */
    SYNCHRONISER(0x84c, __, __, __, __, 0, 0),                                  /* UVIRTCOUNT */
    SLOW(0x9af, __, __, __, __, __, 0, ASYNC_GROUP, SYNC | MARK, USUAL, USUAL), /* LDGDEPBAR */
    SLOW(0x9b7, __, __, __, __, __, UNI, ASYNC_GROUP, SYNC | MARK, USUAL, USUAL), /* UTMACMDFLUSH */
};
