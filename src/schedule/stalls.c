#include "schedule/stalls.h"

void
lengthen_stalls(uint8_t *text, uint32_t count)
{
    for (uint32_t i = 0; i + 1 < count; i++) {
        uint8_t *at = text + (size_t)i * INSTRUCTION_SIZE;
        struct instruction instruction = read_instruction(at);
        struct instruction next = read_instruction(at + INSTRUCTION_SIZE);
        if (!(scoreboard_mask(&instruction) & wait_mask(&next)) ||
            stall_of(&instruction) >= LEAST_STALL_BEFORE_WAIT)
            continue;
        instruction.high = with_stall(instruction.high, LEAST_STALL_BEFORE_WAIT);
        write_instruction(at, &instruction);
    }
}
