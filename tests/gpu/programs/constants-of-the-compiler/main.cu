#include "gpu.h"

__device__ double series(double x);
__device__ double chebyshev(double x);

__global__ void compute(double *out)
{
    double x = threadIdx.x / 64.0;
    out[threadIdx.x] = series(x) + chebyshev(x) * 0.1234567890123;
}
__global__ void compute_less(double *out)
{
    out[threadIdx.x] = chebyshev(threadIdx.x / 100.0);
}

int main()
{
    Array<double> out(128);
    RESOURCES(compute);
    RESOURCES(compute_less);
    compute<<<1, 64>>>(out);
    compute_less<<<1, 64>>>(out + 64);
    FINISH();
    out.print("values");
}
