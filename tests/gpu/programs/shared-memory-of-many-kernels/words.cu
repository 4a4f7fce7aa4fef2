#include "parts.h"

__device__ int by_words(int i)
{
    __shared__ int cells[32];
    __shared__ __align__(64) int aligned[3];
    cells[i] = i;
    aligned[i % 3] = i % 3;
    __syncthreads();
    int got = cells[(i + 1) % 32] + aligned[2];
    __syncthreads();
    return got + (int)((__cvta_generic_to_shared(aligned) % 64) * 1000);
}
