#include "gpu.h"

extern __device__ int whole[8];
extern __device__ unsigned long long wide[6];
extern __device__ double real;
__device__ int in_shared(int i);
__device__ void add_slowly(double *to, double value);

__global__ void hammer(int *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    atomicAdd(&whole[0], i);
    atomicMax(&whole[1], i * 7 % 1000);
    atomicMin(&whole[2], -(i * 3 % 500));
    atomicOr(&whole[3], 1 << i % 32);
    atomicXor(&whole[4], i);
    atomicAnd((unsigned *)&whole[5], ~(1u << i % 16));
    atomicInc((unsigned *)&whole[6], 1u << 30);
    atomicAdd_system(&whole[7], 2);
    atomicAdd(&wide[0], (unsigned long long)i << 20);
    atomicMax(&wide[1], (unsigned long long)i * i * i);
    atomicCAS(&wide[2], 0ull, 99ull);
    atomicExch(&wide[3], 5ull);
    if (blockIdx.x == 3)
        atomicAdd_block(&wide[4], 1ull);
    add_slowly(&real, i % 4 * 0.5);
    atomicAdd(&out[i % 16], in_shared(threadIdx.x));
}

int main()
{
    Array<int> out(16);
    hammer<<<8, 128>>>(out);
    FINISH();
    int host[8];
    unsigned long long longer[6];
    double sum;
    CHECK(cudaMemcpyFromSymbol(host, whole, sizeof host));
    CHECK(cudaMemcpyFromSymbol(longer, wide, sizeof longer));
    CHECK(cudaMemcpyFromSymbol(&sum, real, sizeof sum));
    for (int i = 0; i < 8; i++)
        printf("%d ", host[i]);
    for (int i = 0; i < 5; i++)
        printf("%llu ", longer[i]);
    printf("%g\n", sum);
    out.print("out");
}
