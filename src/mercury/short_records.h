/*
 * short_records.h: records of four bytes and what their instructions must have.
 *
 * Such a record says what is done, the instruction has the operands. All else of the instruction follows from the record:
 * nvlink writes it, whatever the input has there.
 */
#ifndef CULD_MERCURY_SHORT_RECORDS_H
#define CULD_MERCURY_SHORT_RECORDS_H

#include "mercury/record_shapes.h"
#include "schedule/instruction.h"

/* Is it an instruction of that record? */
enum shape_answer compare_with_short_record(const uint8_t *record, struct instruction one);

/* Is the record of a group or a class that is not that of this instruction, by a changed bit? */
bool is_changed_short_record(const uint8_t *record, struct instruction one);

#endif
