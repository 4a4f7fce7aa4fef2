#include "gpu.h"

__global__ void solve(double *x, double *r, double *p, double *q, double *partial, int n, int steps);

int main()
{
    int n = 1024, steps = 60;
    std::vector<double> right(n);
    for (int i = 0; i < n; i++)
        right[i] = 1 + i % 7;
    Array<double> x(n), r(right), p(n), q(n), partial(64);
    double *xa = x, *ra = r, *pa = p, *qa = q, *sa = partial;
    void *arguments[] = {&xa, &ra, &pa, &qa, &sa, &n, &steps};
    RESOURCES(solve);
    CHECK(cudaLaunchCooperativeKernel(solve, dim3(16), dim3(64), arguments, 0, 0));
    FINISH();
    x.print("x");
    r.print("rest", 3);
}
