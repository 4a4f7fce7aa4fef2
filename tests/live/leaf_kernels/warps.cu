// Threads of a warp, of a group and of a cluster together.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

__global__ void rotate_lanes(const int *in, int *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = __shfl_sync(~0u, in[i], (threadIdx.x + 1) % 32) + __shfl_xor_sync(~0u, in[i], 5);
}

__global__ void broadcast(const double *in, double *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[i] * __shfl_sync(~0u, in[i], 3, 8);
}

__global__ void votes(const int *in, unsigned *out)
{
    int v = in[threadIdx.x];
    unsigned result = __ballot_sync(~0u, v & 1) ^ (__any_sync(~0u, v > 100) ? 7 : 0);
    if (__all_sync(~0u, v >= 0))
        result += __popc(__activemask());
    out[threadIdx.x] = result;
}

__global__ void groups_of_eight(const float *in, float *out)
{
    auto tile = cg::tiled_partition<8>(cg::this_thread_block());
    float sum = in[cg::this_grid().thread_rank()];
    for (int step = 4; step; step /= 2)
        sum += tile.shfl_down(sum, step);
    if (tile.thread_rank() == 0)
        out[tile.meta_group_rank() + blockIdx.x * tile.meta_group_size()] = sum;
}

__global__ void coalesced(const int *in, int *out, int *count)
{
    int v = in[threadIdx.x];
    if (v > 3) {
        auto active = cg::coalesced_threads();
        int base = 0;
        if (active.thread_rank() == 0)
            base = atomicAdd(count, active.size());
        out[active.shfl(base, 0) + active.thread_rank()] = v;
    }
}

__global__ void block_votes(const int *in, int *out)
{
    int v = in[blockIdx.x * blockDim.x + threadIdx.x];
    int any = __syncthreads_or(v == 7), all = __syncthreads_and(v > 0);
    out[blockIdx.x * blockDim.x + threadIdx.x] = any + 2 * all + 4 * __syncthreads_count(v & 1);
}

__global__ void diverging(const int *in, int *out)
{
    int v = in[threadIdx.x];
    if (v & 1) {
        v = v * 3 + 1;
        __syncwarp();
        v ^= __shfl_xor_sync(__activemask(), v, 1);
    } else {
        v = v / 2;
    }
    __syncwarp();
    out[threadIdx.x] = v + __shfl_up_sync(~0u, v, 2);
}

__global__ void matching(const long long *in, unsigned *out, int *same)
{
    int all;
    out[threadIdx.x] = __match_any_sync(~0u, in[threadIdx.x]);
    __match_all_sync(~0u, in[threadIdx.x], &all);
    same[threadIdx.x] = all;
}

__global__ void __cluster_dims__(2, 1, 1) cluster_exchange(const int *in, int *out)
{
    __shared__ int mine[128];
    auto cluster = cg::this_cluster();
    mine[threadIdx.x] = in[blockIdx.x * 128 + threadIdx.x];
    cluster.sync();
    int *theirs = cluster.map_shared_rank(mine, cluster.block_rank() ^ 1);
    out[blockIdx.x * 128 + threadIdx.x] = theirs[threadIdx.x];
    cluster.sync();
}

__global__ void __cluster_dims__(4, 1, 1) cluster_histogram(const unsigned char *in, int *out, int n)
{
    __shared__ int bins[64];
    auto cluster = cg::this_cluster();
    if (threadIdx.x < 64)
        bins[threadIdx.x] = 0;
    cluster.sync();
    for (int i = cluster.thread_rank(); i < n; i += cluster.num_threads()) {
        int *where = cluster.map_shared_rank(bins, in[i] / 64);
        atomicAdd(where + in[i] % 64, 1);
    }
    cluster.sync();
    if (threadIdx.x < 64)
        out[cluster.block_rank() * 64 + threadIdx.x] = bins[threadIdx.x];
}

__global__ void warp_bitonic(unsigned *data)
{
    unsigned v = data[blockIdx.x * 32 + threadIdx.x];
    for (int size = 2; size <= 32; size *= 2)
        for (int step = size / 2; step; step /= 2) {
            unsigned other = __shfl_xor_sync(~0u, v, step);
            bool up = (threadIdx.x & size) == 0, low = (threadIdx.x & step) == 0;
            v = up == low ? min(v, other) : max(v, other);
        }
    data[blockIdx.x * 32 + threadIdx.x] = v;
}

__global__ void segmented_sum(const int *keys, const float *values, float *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x & 31;
    int key = keys[i];
    float sum = values[i];
    for (int step = 1; step < 32; step *= 2) {
        float before = __shfl_up_sync(~0u, sum, step);
        int other = __shfl_up_sync(~0u, key, step);
        if (lane >= step && other == key)
            sum += before;
    }
    int next = __shfl_down_sync(~0u, key, 1);
    if (lane == 31 || next != key)
        atomicAdd(out + key, sum);
}
