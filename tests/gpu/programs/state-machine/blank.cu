#include "machine.h"

__device__ State blank(Machine *machine)
{
    char c = machine->input[machine->position];
    if (c == 0)
        return {stop};
    if (c >= '0' && c <= '9')
        return {number};
    if (c != ' ')
        return {word};
    machine->position++;
    return {blank};
}
