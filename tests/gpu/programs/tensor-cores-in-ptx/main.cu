#include "gpu.h"
#include <cuda_fp16.h>

__device__ void multiply(float sums[4], const unsigned a[4], const unsigned b[2]);
__device__ void load(unsigned a[4], const void *at);

__global__ void product(float *out)
{
    __shared__ __align__(16) __half tile[16 * 16];
    for (int i = threadIdx.x; i < 256; i += 32)
        tile[i] = __int2half_rn(i % 9 - 4);
    __syncthreads();
    unsigned a[4], b[2];
    load(a, tile + threadIdx.x % 16 * 16 + threadIdx.x / 16 * 8);
    __half2 pair = __floats2half2_rn(threadIdx.x % 5, threadIdx.x % 3);
    b[0] = b[1] = *(unsigned *)&pair;
    float sums[4] = {1, 2, 3, 4};
    multiply(sums, a, b);
    for (int i = 0; i < 4; i++)
        out[threadIdx.x * 4 + i] = sums[i];
}

int main()
{
    Array<float> out(128);
    RESOURCES(product);
    product<<<1, 32>>>(out);
    FINISH();
    out.print("product", 16);
}
