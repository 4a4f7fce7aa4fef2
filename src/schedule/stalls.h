/*
 * stalls.h: time for a scoreboard to be counted up.
 */
#ifndef CULD_SCHEDULE_STALLS_H
#define CULD_SCHEDULE_STALLS_H

#include "schedule/instruction.h"

/* If the next instruction waits for a scoreboard of this one, its stall becomes long enough. */
static inline void
lengthen_stall(uint8_t *text, uint32_t at)
{
    uint8_t *bytes = text + (size_t)at * INSTRUCTION_SIZE;
    struct instruction instruction = read_instruction(bytes);

    if ((instruction.high & NO_SCOREBOARD_BITS) == NO_SCOREBOARD_BITS ||
        stall_of(&instruction) >= LEAST_STALL_BEFORE_WAIT)
        return;
    struct instruction next = read_instruction(bytes + INSTRUCTION_SIZE);
    if (!(scoreboard_mask(&instruction) & wait_mask(&next)))
        return;
    instruction.high = with_stall(instruction.high, LEAST_STALL_BEFORE_WAIT);
    write_instruction(bytes, &instruction);
}

#endif
