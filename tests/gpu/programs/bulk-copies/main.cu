#include "gpu.h"

__device__ void start(unsigned long long *barrier, void *to, const void *from, int bytes);
__device__ void wait(unsigned long long *barrier, int phase);

__global__ void copy(const int *in, int *out)
{
    __shared__ __align__(128) int tile[256];
    __shared__ unsigned long long barrier;
    if (threadIdx.x == 0) {
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"((unsigned)__cvta_generic_to_shared(&barrier)));
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    }
    __syncthreads();
    for (int phase = 0; phase < 4; phase++) {
        if (threadIdx.x == 0)
            start(&barrier, tile, in + phase * 256, sizeof tile);
        wait(&barrier, phase & 1);
        out[phase * 256 + threadIdx.x] = tile[255 - threadIdx.x] + phase;
        __syncthreads();
    }
}

int main()
{
    std::vector<int> numbers(1024);
    for (int i = 0; i < 1024; i++)
        numbers[i] = i * 5 % 777;
    Array<int> in(numbers), out(1024);
    RESOURCES(copy);
    copy<<<1, 256>>>(in, out);
    FINISH();
    out.print("out");
}
