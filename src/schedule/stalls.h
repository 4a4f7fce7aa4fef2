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

    struct instruction next = read_instruction(bytes + INSTRUCTION_SIZE);

    if (!(early_mask(&instruction) & wait_mask(&next)))
        return;
    instruction.high = with_stall(instruction.high, LEAST_STALL_BEFORE_WAIT);
    write_instruction(bytes, &instruction);
}

/* The load of R1 has lost its scoreboard: if the next instruction waited for that, there is no reason
   any more to hold it back. */
static inline void
shorten_first_stall(uint8_t *text, const struct instruction *load, const struct instruction *next)
{
    struct instruction first = read_instruction(text);

    if (stall_of(load) != LEAST_STALL_BEFORE_WAIT || !(scoreboard_mask(load) & wait_mask(next)))
        return;
    first.high = with_stall(first.high, 1);
    write_instruction(text, &first);
}

#endif
