#include "solver.h"

static __device__ double block_sum(double value)
{
    __shared__ double cells[64];
    cells[threadIdx.x] = value;
    __syncthreads();
    for (int half = 32; half; half /= 2) {
        if (threadIdx.x < half)
            cells[threadIdx.x] += cells[threadIdx.x + half];
        __syncthreads();
    }
    double sum = cells[0];
    __syncthreads();
    return sum;
}
__device__ double dot(const double *a, const double *b, double *partial, int n, cg::grid_group grid)
{
    int i = grid.thread_rank();
    double mine = block_sum(a[i] * b[i]), sum = 0;
    if (threadIdx.x == 0)
        partial[blockIdx.x] = mine;
    grid.sync();
    for (unsigned block = 0; block < gridDim.x; block++)
        sum += partial[block];
    grid.sync();
    return sum;
}
