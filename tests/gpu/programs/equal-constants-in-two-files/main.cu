#include "gpu.h"

__constant__ int first[4] = {1, 2, 3, 4};
__device__ int second_of(int i);
__device__ int third_of(int i);

__global__ void read_all(int *out)
{
    out[threadIdx.x] = first[threadIdx.x % 4] * 10000 + second_of(threadIdx.x) * 100 + third_of(threadIdx.x);
}

int main()
{
    Array<int> out(16);
    read_all<<<1, 16>>>(out);
    FINISH();
    out.print("out", 16);
}
