#include "mix.h"
__device__ double elsewhere(double x);

extern "C" __global__ void run(int *out)
{
    out[threadIdx.x] = mix<int, 9>(threadIdx.x) + (int)elsewhere(threadIdx.x) + (int)(1e3 * sin(mix<double, 5>(threadIdx.x)));
}
