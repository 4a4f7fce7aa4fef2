#include "gpu.h"
#include "heap.h"

__global__ void sort(long long *out)
{
    Heap<int, 32> heap;
    for (int i = 0; i < 32; i++)
        heap.push((i * 17 + threadIdx.x * 5) % 41);
    out[threadIdx.x] = digest(&heap);
}

int main()
{
    Array<long long> out(64);
    RESOURCES(sort);
    sort<<<1, 64>>>(out);
    FINISH();
    out.print("digests");
}
