/*
 * kept_operands.h: operands that are kept for a later instruction.
 *
 * Arithmetic reads up to three registers, in slots. For each slot there is a place for one register of each
 * of four banks, where it can be kept after it was read. Compilers ask for that only where the next
 * instruction that reads this bank in this slot reads the same register.
 */
#ifndef CULD_MERCURY_KEPT_OPERANDS_H
#define CULD_MERCURY_KEPT_OPERANDS_H

#include "base/bytes.h"

/* An instruction that keeps an operand that nothing uses; SIZE_MAX: there is none. */
size_t find_idle_operand(struct bytes text);

#endif
