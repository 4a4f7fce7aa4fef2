#include <cub/block/block_scan.cuh>
#include <cub/warp/warp_reduce.cuh>

__device__ int scanned(int value)
{
    using Scan = cub::BlockScan<int, 256>;
    using Reduce = cub::WarpReduce<int>;
    __shared__ Scan::TempStorage scan_room;
    __shared__ Reduce::TempStorage reduce_room[8];
    int sum;
    Scan(scan_room).ExclusiveSum(value, sum);
    int most = Reduce(reduce_room[threadIdx.x / 32]).Reduce(sum, [](int a, int b) { return a > b ? a : b; });
    return sum + __shfl_sync(~0u, most, 0);
}
