#include "parts.h"

__device__ double by_doubles(int i)
{
    __shared__ double cells[32];
    cells[i] = by_words(i) * 1.5;
    __syncthreads();
    return cells[(i + 7) % 32];
}
