#include "gpu.h"

__device__ int shuffles(int value);
__device__ unsigned votes(int value);
__device__ unsigned bits(unsigned value);

__global__ void compute(unsigned *out)
{
    int i = threadIdx.x;
    out[i] = shuffles(i * 5 % 37) + 1000 * votes(i) + bits(i * 2654435761u);
}

int main()
{
    Array<unsigned> out(64);
    RESOURCES(compute);
    compute<<<1, 64>>>(out);
    FINISH();
    out.print("out", 8);
}
