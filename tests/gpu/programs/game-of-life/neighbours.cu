#include "life.h"

__device__ int neighbours_of(const unsigned char *world, int side)
{
    __shared__ unsigned char tile[18][18];
    int x0 = blockIdx.x * 16 + side - 1, y0 = blockIdx.y * 16 + side - 1;
    for (int i = threadIdx.y * 16 + threadIdx.x; i < 18 * 18; i += 256)
        tile[i / 18][i % 18] = world[(y0 + i / 18) % side * side + (x0 + i % 18) % side];
    __syncthreads();
    int count = -tile[threadIdx.y + 1][threadIdx.x + 1];
    for (int y = 0; y < 3; y++)
        for (int x = 0; x < 3; x++)
            count += tile[threadIdx.y + y][threadIdx.x + x];
    return count;
}
