#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
namespace cg = cooperative_groups;

template <int Size> __device__ __noinline__ int sum(int value)
{
    auto tile = cg::tiled_partition<Size>(cg::this_thread_block());
    return cg::reduce(tile, value, cg::plus<int>());
}

__global__ void tiles(int *out)
{
    auto tile = cg::tiled_partition<16>(cg::this_thread_block());
    int i = threadIdx.x;
    out[i] = sum<4>(i) + 10 * sum<8>(i) + 100 * sum<32>(i) + cg::exclusive_scan(tile, i);
}
