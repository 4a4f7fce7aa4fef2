#include "gpu.h"

__device__ int shuffle_cards(int seed);
__device__ int room_of(int n);

__global__ void shallow(int *out)
{
    out[threadIdx.x] = shuffle_cards(threadIdx.x);
}
__global__ void deep(int *out)
{
    int table[100];
    for (int i = 0; i < 100; i++)
        table[(i * 7) % 100] = shuffle_cards(i + threadIdx.x) % 50;
    out[threadIdx.x] = table[threadIdx.x] + room_of(table[threadIdx.x + 1] + 1);
}

int main()
{
    Array<int> out(64);
    RESOURCES(shallow);
    RESOURCES(deep);
    shallow<<<1, 32>>>(out);
    deep<<<1, 32>>>(out + 32);
    FINISH();
    out.print("out", 8);
}
