#include "parts.h"

__device__ int by_bytes(int i)
{
    __shared__ char cells[37];
    cells[i] = i * 3;
    __syncthreads();
    int got = cells[(i + 5) % 32];
    __syncthreads();
    return got;
}
