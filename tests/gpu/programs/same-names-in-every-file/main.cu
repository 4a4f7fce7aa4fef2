#include "gpu.h"

static __device__ int value = 1;
static __constant__ int table[2] = {10, 11};
static __device__ __noinline__ int helper(int x) { return x + value + table[x % 2]; }
static __global__ void kernel(int *out) { out[threadIdx.x] = helper(threadIdx.x); }

void run_second(int *out);
void run_third(int *out);

int main()
{
    Array<int> out(96);
    int changed = 7;
    CHECK(cudaMemcpyToSymbol(value, &changed, sizeof changed));
    RESOURCES(kernel);
    kernel<<<1, 32>>>(out);
    run_second(out + 32);
    run_third(out + 64);
    FINISH();
    out.print("out", 96);
}
