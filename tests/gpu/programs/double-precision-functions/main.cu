#include "gpu.h"

__device__ double trigonometric(double x);
__device__ double special(double x);
__device__ float single_precision(float x);

__global__ void compute(double *out)
{
    double x = (threadIdx.x - 31.5) * 1.7;
    out[3 * threadIdx.x] = trigonometric(x) + trigonometric(x * 1e12);
    out[3 * threadIdx.x + 1] = special(fabs(x) / 20 + 0.1);
    out[3 * threadIdx.x + 2] = single_precision((float)x) + single_precision((float)x * 1e6f);
}

int main()
{
    Array<double> out(3 * 64);
    RESOURCES(compute);
    compute<<<1, 64>>>(out);
    FINISH();
    out.print("out", 9);
}
