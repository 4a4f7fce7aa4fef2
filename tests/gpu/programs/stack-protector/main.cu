#include "gpu.h"

__device__ int reverse_sum(int n);

__global__ void compute(int *out)
{
    char text[24];
    for (int i = 0; i < 24; i++)
        text[i] = i * threadIdx.x;
    out[threadIdx.x] = reverse_sum(threadIdx.x % 20) + text[threadIdx.x % 24];
}

int main()
{
    Array<int> out(64);
    RESOURCES(compute);
    compute<<<1, 64>>>(out);
    FINISH();
    out.print("out", 12);
}
