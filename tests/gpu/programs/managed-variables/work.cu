#include "gpu.h"

extern __managed__ int counter;
__managed__ double weights[4] = {1.5, 2.5, 3.5, 4.5};
__managed__ int *shared_list;

__device__ double weigh(int i);

__global__ void work()
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    shared_list[i] = (int)(weigh(i) * 100) + atomicAdd(&counter, 1) * 0;
    if (i == 0)
        weights[3] = weights[2] * 2;
}

void prepare()
{
    CHECK(cudaMallocManaged(&shared_list, 64 * sizeof(int)));
}
