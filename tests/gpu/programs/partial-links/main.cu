#include "gpu.h"

__device__ float outer(float x);
__device__ float factor = 1.5f;
__global__ void other(float *out);

__global__ void compute(float *out)
{
    out[threadIdx.x] = outer(threadIdx.x);
}

int main()
{
    Array<float> out(64);
    RESOURCES(compute);
    RESOURCES(other);
    compute<<<1, 32>>>(out);
    other<<<1, 32>>>(out + 32);
    FINISH();
    out.print("out");
}
