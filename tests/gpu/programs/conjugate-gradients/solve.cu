#include "solver.h"

__global__ void solve(double *x, double *r, double *p, double *q, double *partial, int n, int steps)
{
    cg::grid_group grid = cg::this_grid();
    int i = grid.thread_rank();
    p[i] = r[i];
    grid.sync();
    double length = dot(r, r, partial, n, grid);
    for (int step = 0; step < steps && length > 1e-20; step++) {
        product(p, q, n, grid);
        double alpha = length / dot(p, q, partial, n, grid);
        x[i] += alpha * p[i];
        r[i] -= alpha * q[i];
        grid.sync();
        double next = dot(r, r, partial, n, grid);
        p[i] = r[i] + next / length * p[i];
        length = next;
        grid.sync();
    }
}
