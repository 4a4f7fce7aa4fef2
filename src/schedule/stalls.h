/*
 * stalls.h: time for a scoreboard to be counted up.
 */
#ifndef CULD_SCHEDULE_STALLS_H
#define CULD_SCHEDULE_STALLS_H

#include "schedule/instruction.h"

/* If the next instruction waits for a scoreboard of this one, its stall becomes long enough. */
void lengthen_stall(uint8_t *text, uint32_t at);

#endif
