#include "gpu.h"

__constant__ int others[5] = {90, 80, 70, 60, 50};
__device__ int first(int x);
__device__ int second(int x);

__global__ void compute(int *out)
{
    int i = threadIdx.x;
    out[i] = first(i) + 10 * second(i) + 100 * others[i % 5];
}

int main()
{
    Array<int> out(32);
    compute<<<1, 32>>>(out);
    FINISH();
    out.print("out", 10);
}
