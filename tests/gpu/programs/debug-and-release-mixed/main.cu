#include "gpu.h"

__device__ int debugged(int x);
__device__ int lined(int x);
__device__ int slow(int x);

__global__ void mix(int *out)
{
    out[threadIdx.x] = debugged(threadIdx.x) + 100 * lined(threadIdx.x) + 10000 * slow(threadIdx.x);
}

int main()
{
    Array<int> out(64);
    RESOURCES(mix);
    mix<<<1, 64>>>(out);
    FINISH();
    out.print("out", 12);
}
