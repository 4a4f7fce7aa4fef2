#include "gpu.h"

__device__ int left(int x);
__device__ int right(int x);
int plain();
int more();

__global__ void compute(int *out, int add)
{
    out[threadIdx.x] = left(threadIdx.x) + 10 * right(threadIdx.x) + add;
}

int main()
{
    Array<int> out(32);
    compute<<<1, 32>>>(out, plain() + more());
    FINISH();
    out.print("out");
}
