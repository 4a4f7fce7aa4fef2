#include "gpu.h"

__device__ int add(int a, int b);
__device__ int multiply(int a, int b);

__global__ void compute(int *out)
{
    out[threadIdx.x] = add(threadIdx.x, multiply(threadIdx.x, 3));
}

int main()
{
    Array<int> out(32);
    compute<<<1, 32>>>(out);
    FINISH();
    out.print("out");
}
