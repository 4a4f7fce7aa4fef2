/*
 * instruction_width.h: how long the mercury instruction is that a SASS instruction implies.
 *
 * A capsule leaves out what its SASS implies, so the places that mercury counts are known only to
 * those who know the length of every instruction. It depends on the operation and on the operands
 * that it really has. Found out from line tables, which have both views of each place.
 */
#ifndef CULD_MERCURY_INSTRUCTION_WIDTH_H
#define CULD_MERCURY_INSTRUCTION_WIDTH_H

#include <stdint.h>

/* Bytes; 0: the operation is not known. */
unsigned implied_width(uint64_t low, uint64_t high);

#endif
