/*
 * record_kinds.h: which kinds of records are usual for an instruction.
 *
 * There are more kinds than were ever seen, so that one that is not known is no damage by itself. But usual
 * instructions have few, and of those all that are near each other are known.
 */
#ifndef CULD_MERCURY_RECORD_KINDS_H
#define CULD_MERCURY_RECORD_KINDS_H

#include "schedule/instruction.h"

#include <stdbool.h>
#include <stdint.h>

/* Is it of no kind that is known for that instruction, but one bit away from a usual one? */
bool is_changed_kind(const uint8_t *record, struct instruction one);

#endif
