#include "gpu.h"

extern __device__ int numbers[16];
extern __constant__ float ratio;
extern __device__ unsigned char bytes[3];
static __device__ int hidden[2];

void *static_address()
{
    void *address;
    CHECK(cudaGetSymbolAddress(&address, hidden));
    return address;
}
__global__ void touch(int *out)
{
    int i = threadIdx.x;
    out[i] = (int)(numbers[i] * ratio) + bytes[i % 3] * 1000 + hidden[i % 2];
    numbers[i] = -i;
}
