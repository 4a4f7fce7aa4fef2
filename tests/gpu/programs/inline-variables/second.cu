#include "counters.h"

__global__ void second(int *out)
{
    out[1] = ticket();
    out[2] = atomicAdd(counter<int>(), 20);
    out[3] = atomicAdd(counter<float>(), 30);
    total += factors[2];
    out[4] = total;
}
