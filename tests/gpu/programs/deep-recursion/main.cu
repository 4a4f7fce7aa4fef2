#include "gpu.h"

__device__ int ackermann(int m, int n);
__device__ int first(int n, int depth);

__global__ void climb(int *out)
{
    out[threadIdx.x] = ackermann(threadIdx.x % 3, threadIdx.x % 5) * 1000 + first(threadIdx.x * 3, 0);
}

int main()
{
    CHECK(cudaDeviceSetLimit(cudaLimitStackSize, 32768));
    Array<int> out(32);
    RESOURCES(climb);
    climb<<<1, 32>>>(out);
    FINISH();
    out.print("out", 16);
}
