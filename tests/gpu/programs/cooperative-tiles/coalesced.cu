#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;

__global__ void coalesced(int *out)
{
    int i = threadIdx.x;
    if (i % 3 == 0) {
        cg::coalesced_group active = cg::coalesced_threads();
        out[i] = active.size() * 100 + active.thread_rank() + active.shfl(i, 0);
    }
    else {
        cg::coalesced_group active = cg::coalesced_threads();
        out[i] = -cg::reduce(active, i, cg::greater<int>());
    }
}

__global__ void partitions(int *out)
{
    auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    int i = threadIdx.x;
    auto same = cg::labeled_partition(warp, i % 5);
    auto half = cg::binary_partition(warp, i % 7 < 3);
    out[i] = cg::reduce(same, i, cg::plus<int>()) + 1000 * half.size() + half.thread_rank();
}
