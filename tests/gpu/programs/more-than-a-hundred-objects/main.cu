#include "gpu.h"

extern __device__ int (*const table[102])(int);

__global__ void compute(int *out)
{
    out[threadIdx.x] = table[threadIdx.x](threadIdx.x);
}

int main()
{
    deep_stack();
    Array<int> out(102);
    compute<<<1, 102>>>(out);
    FINISH();
    out.print("out", 20);
}
