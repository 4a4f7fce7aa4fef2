#include <cooperative_groups.h>
namespace cg = cooperative_groups;

__device__ int *bin_of(int *bins, int value, cg::cluster_group cluster);

__global__ void __cluster_dims__(4, 1, 1) histogram(const int *in, int *out, int n)
{
    __shared__ int bins[16];
    cg::cluster_group cluster = cg::this_cluster();
    if (threadIdx.x < 16)
        bins[threadIdx.x] = 0;
    cluster.sync();
    for (int i = cluster.thread_rank(); i < n; i += cluster.num_threads())
        atomicAdd(bin_of(bins, in[i], cluster), 1);
    cluster.sync();
    if (threadIdx.x < 16)
        out[16 * cluster.block_rank() + threadIdx.x] = bins[threadIdx.x];
}
