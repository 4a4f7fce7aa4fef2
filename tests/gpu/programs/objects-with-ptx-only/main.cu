#include "gpu.h"

__device__ int old_way(int x);
__device__ int newer_way(int x);
__global__ void whole_kernel(int *out);

__global__ void compute(int *out)
{
    out[threadIdx.x] = old_way(threadIdx.x) + newer_way(threadIdx.x);
}

int main()
{
    Array<int> out(64);
    RESOURCES(compute);
    RESOURCES(whole_kernel);
    compute<<<1, 32>>>(out);
    whole_kernel<<<1, 32>>>(out + 32);
    FINISH();
    out.print("out", 10);
}
