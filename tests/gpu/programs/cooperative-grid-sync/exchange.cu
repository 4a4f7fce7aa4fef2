#include <cooperative_groups.h>
namespace cg = cooperative_groups;

__device__ void exchange(const int *from, int *to, int n, int rank, cg::grid_group grid)
{
    to[rank] = from[(rank + 1) % n] + from[(rank + n - 1) % n] - from[rank] / 2;
    grid.sync();
}
