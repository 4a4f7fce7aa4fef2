#include "schedule/stalls.h"

void
lengthen_stall(uint8_t *text, uint32_t at)
{
    uint8_t *bytes = text + (size_t)at * INSTRUCTION_SIZE;
    struct instruction instruction = read_instruction(bytes);
    struct instruction next = read_instruction(bytes + INSTRUCTION_SIZE);

    if (!(scoreboard_mask(&instruction) & wait_mask(&next)) ||
        stall_of(&instruction) >= LEAST_STALL_BEFORE_WAIT)
        return;
    instruction.high = with_stall(instruction.high, LEAST_STALL_BEFORE_WAIT);
    write_instruction(bytes, &instruction);
}
