#include "gpu.h"
#include <cuda/atomic>
#include <cuda/barrier>
using Barrier = cuda::barrier<cuda::thread_scope_block>;

__device__ void stage(Barrier *barrier, int *cells, int round);
__device__ int ticket();
extern __device__ cuda::atomic<int, cuda::thread_scope_device> tickets;

__global__ void rounds(int *out)
{
    __shared__ Barrier barrier;
    __shared__ int cells[64];
    if (threadIdx.x == 0)
        init(&barrier, 64);
    cells[threadIdx.x] = threadIdx.x;
    __syncthreads();
    for (int round = 0; round < 6; round++)
        stage(&barrier, cells, round);
    out[threadIdx.x] = cells[threadIdx.x];
    ticket();
    __syncthreads();
    if (threadIdx.x == 0)
        out[64] = tickets.load();
}

int main()
{
    Array<int> out(65);
    rounds<<<1, 64>>>(out);
    FINISH();
    out.print("cells", 12);
}
