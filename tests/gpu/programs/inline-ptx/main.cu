#include "gpu.h"

__device__ unsigned lane();
__device__ int saturate(int a, int b);
__device__ unsigned long long spread(unsigned x);

static __device__ unsigned long long counter = 40;

__device__ unsigned long long count()
{
    unsigned long long old;
    asm volatile("atom.add.u64 %0, [%1], 2;" : "=l"(old) : "l"(&counter) : "memory");
    return old;
}
__global__ void compute(unsigned long long *out)
{
    out[threadIdx.x] = lane() + 100 * saturate(threadIdx.x << 26, 1 << 30) + spread(threadIdx.x);
    __syncthreads();
    if (threadIdx.x == 0)
        out[64] = count() + count();
}

int main()
{
    Array<unsigned long long> out(65);
    compute<<<1, 64>>>(out);
    FINISH();
    out.print("out", 8);
}
