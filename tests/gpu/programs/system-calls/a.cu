#include <cstdio>
#include <cassert>
__device__ int *fill(int n);

extern "C" __global__ void run(int *out)
{
    int *list = fill(threadIdx.x + 1);
    assert(list);
    int sum = 0;
    for (int i = 0; i <= (int)threadIdx.x; i++)
        sum += list[i];
    out[threadIdx.x] = sum;
    if (threadIdx.x == 5)
        printf("thread %d has %d\n", threadIdx.x, sum);
    free(list);
}
