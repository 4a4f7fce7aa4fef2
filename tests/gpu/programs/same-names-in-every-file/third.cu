#include "gpu.h"

namespace {
__device__ int value = 3;
__shared__ int table[32];
__device__ __noinline__ int helper(int x)
{
    table[x] = x << value;
    __syncthreads();
    return table[31 - x];
}
template <typename T> __global__ void kernel(T *out) { out[threadIdx.x] = helper(threadIdx.x); }
}

void run_third(int *out)
{
    RESOURCES(kernel<int>);
    kernel<<<1, 32>>>(out);
}
