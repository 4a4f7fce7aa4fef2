#include "gpu.h"

__device__ int used(int x);

__global__ void compute(int *out)
{
    out[threadIdx.x] = used(threadIdx.x);
}

int main()
{
    Array<int> out(32);
    RESOURCES(compute);
    compute<<<1, 32>>>(out);
    FINISH();
    out.print("out");
}
