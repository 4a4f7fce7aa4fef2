/*
 * survey.h: what kinds of instructions a text has, as far as it decides what is to be done with it.
 */
#ifndef CULD_SCHEDULE_SURVEY_H
#define CULD_SCHEDULE_SURVEY_H

#include "schedule/instruction.h"

enum contents {
    HAS_CALL = 1,
    HAS_COPIES = 2,       /* that run by themselves */
    HAS_BARRIERS = 4,     /* in shared memory */
    MAY_HAVE_PADDING = 8, /* before fences */
    MAY_HAVE_NOPS = 16,   /* behind what makes a warp converge: see fences.h */
    HAS_SURFACE_WRITES = 32,
    MAY_HAVE_GUARDS = 64 /* before exits, of an earlier link for debuggers */
};

#define LOAD_THAT_NEVER_HAPPENS 0x00000000fffff984u /* @!PT LDS RZ, [RZ] */

/* A mask of enum contents; of a text that has a call, not all that comes behind it. */
unsigned survey_text(struct bytes text);

#endif
