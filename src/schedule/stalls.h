/*
 * stalls.h: time for a scoreboard to be counted up.
 */
#ifndef CULD_SCHEDULE_STALLS_H
#define CULD_SCHEDULE_STALLS_H

#include "schedule/instruction.h"

/* Where an instruction waits for a scoreboard of the one right before it, that one's stall becomes
   long enough. */
void lengthen_stalls(uint8_t *text, uint32_t count);

#endif
