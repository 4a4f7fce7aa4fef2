#include <cuda/atomic>
#include <cuda/barrier>
using Barrier = cuda::barrier<cuda::thread_scope_block>;

__device__ cuda::atomic<int, cuda::thread_scope_device> tickets{500};

__device__ int ticket()
{
    return tickets.fetch_add(1, cuda::memory_order_relaxed);
}

__device__ void stage(Barrier *barrier, int *cells, int round)
{
    int mine = cells[(threadIdx.x + (1 << round)) % 64];
    barrier->arrive_and_wait();
    cells[threadIdx.x] += mine;
    barrier->wait(barrier->arrive());
}
