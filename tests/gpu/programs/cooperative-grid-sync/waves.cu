#include <cooperative_groups.h>
namespace cg = cooperative_groups;

__device__ void exchange(const int *from, int *to, int n, int rank, cg::grid_group grid);

__global__ void waves(int *data, int n, int rounds)
{
    cg::grid_group grid = cg::this_grid();
    int rank = grid.thread_rank();
    data[rank] = rank;
    grid.sync();
    for (int i = 0; i < rounds; i++)
        exchange(data + (i % 2) * n, data + ((i + 1) % 2) * n, n, rank, grid);
}
