#include "machine.h"

static __device__ bool inside(char c, bool digits)
{
    return c && c != ' ' && (c >= '0' && c <= '9') == digits;
}

__device__ State word(Machine *machine)
{
    machine->words++;
    while (inside(machine->input[machine->position], false))
        machine->position++;
    return {blank};
}

__device__ State number(Machine *machine)
{
    machine->numbers++;
    while (inside(machine->input[machine->position], true))
        machine->position++;
    return {blank};
}
