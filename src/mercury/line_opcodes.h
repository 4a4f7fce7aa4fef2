/*
 * line_opcodes.h: the numbers of the operations of line tables.
 */
#ifndef CULD_MERCURY_LINE_OPCODES_H
#define CULD_MERCURY_LINE_OPCODES_H

#include <stdint.h>

enum {
    EXTENDED = 0, /* a length, a code, operands */
    END_SEQUENCE = 1,
    SET_ADDRESS = 2,
    /* NVIDIA's own: the next rows were inlined, into which row, and where the name of the function stands;
       and whether rows are early, which mercury alone says. */
    INLINED = 0x90,
    IS_EARLY = 0x92,

    COPY = 1,
    ADVANCE_ADDRESS = 2,
    ADVANCE_LINE = 3,
    SET_FILE = 4,
    ADVANCE_AS_LAST = 8, /* as the last special opcode does */
    FIXED_ADVANCE = 9,   /* the one opcode with an operand of 16 bits */
    LAST_SPECIAL = UINT8_MAX,
};

/* What an extended operation begins with: the opcode, a length of one byte, the code. */
enum { CODE_SIZE = 3 };

/* What all tools write in headers, for special opcodes: the first of them, and how many lines they advance, from
   how many on. */
enum { USUAL_OPCODE_BASE = 10, USUAL_LINE_BASE = -5, USUAL_LINE_RANGE = 14 };

#endif
