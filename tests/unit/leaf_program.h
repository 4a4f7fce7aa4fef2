/*
 * leaf_program.h: small kernels for the tests of src/schedule, written as lists of steps.
 *
 * What a step reads and writes is said here, not taken from the bytes: what the tests expect does
 * not depend on the tables of src/schedule.
 */
#ifndef CULD_TEST_LEAF_PROGRAM_H
#define CULD_TEST_LEAF_PROGRAM_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "schedule/instruction.h"
#include "schedule/leaf.h"

enum step_kind {
    LOAD_STACK_POINTER, /* LDC R1: what kernels begin with */
    LOAD_CONSTANT,      /* LDC a, c[b] */
    LOAD,               /* LDG a, [b]; an address has two registers */
    STORE,              /* STG [b], a */
    FUNCTION,           /* MUFU a, b */
    ADD,                /* FADD a, b, c */
    COMPARE,            /* ISETP P0, b, c */
    BRANCH,             /* @P0 BRA target */
    JUMP,               /* BRA target */
    INDIRECT_JUMP,      /* BRX b */
    END,                /* EXIT */
    BARRIER,            /* BAR */
    FENCE,              /* MEMBAR */
    COUNT_DOWN,         /* DEPBAR: until no more than `a` operations count on scoreboard `b` */
    START_GROUP,        /* LDGDEPBAR */
    CALL
};

#define NONE 7
#define RZ 255

struct step {
    enum step_kind kind;
    uint8_t a, b, c;
    uint8_t target;      /* the step, of a branch */
    uint8_t write, read; /* scoreboards */
    uint8_t wait;        /* mask */
};

/* Steps with and without scoreboards. */
#define STEP(kind, a, b, c, wait)                                                                  \
    {                                                                                              \
        kind, a, b, c, 0, NONE, NONE, wait                                                         \
    }
#define GOTO(kind, target, wait)                                                                   \
    {                                                                                              \
        kind, RZ, RZ, RZ, target, NONE, NONE, wait                                                 \
    }
#define WRITES(kind, a, b, number, wait)                                                           \
    {                                                                                              \
        kind, a, b, RZ, 0, number, NONE, wait                                                      \
    }
#define READS(kind, a, b, number, wait)                                                            \
    {                                                                                              \
        kind, a, b, RZ, 0, NONE, number, wait                                                      \
    }

enum { MOST_STEPS = 32, MOST_JUMPS = 4 };

struct program {
    const char *name;
    uint32_t count;
    struct step steps[MOST_STEPS];
    uint32_t jump_targets[MOST_JUMPS]; /* steps, of all indirect jumps */
    uint32_t jump_target_count;
};

/* Memory that a kernel of a program needs. */
struct assembled {
    uint8_t bytes[MOST_STEPS * INSTRUCTION_SIZE];
    uint32_t targets[MOST_JUMPS];
    struct leaf_jump jumps[MOST_STEPS];
    struct leaf_kernel kernel;
};

void assemble(const struct program *program, struct assembled *assembled);

/*
 * Does the schedule of a text drop a dependency that the program's own schedule keeps? Follows every
 * path through the program for some steps, one operation at a time. The load of R1 is not looked at.
 */
bool drops_dependency(const struct program *program, struct bytes text);

/* The scoreboards of one step in a text. */
struct step_scoreboards {
    unsigned write, read, wait;
};

struct step_scoreboards scoreboards_at(struct bytes text, uint32_t step);
void set_scoreboards(uint8_t *text, uint32_t step, struct step_scoreboards scoreboards);

#endif
