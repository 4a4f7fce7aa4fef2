#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__device__ void product(const double *x, double *y, int n, cg::grid_group grid);
__device__ double dot(const double *a, const double *b, double *partial, int n, cg::grid_group grid);
