/*
 * The kernels. Everything they call is defined in another object, so this file
 * alone cannot run: the device linker has to connect it.
 */
#include "clamp.h"

__device__ float polynomial(float x);    /* library.cu */
__device__ float block_sum(float value); /* reduce.cu */

/* out[i] = polynomial(in[i]), limited to [0, 100]. */
extern "C" __global__ void
evaluate(float *out, const float *in, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        out[i] = clamp(polynomial(in[i]), 0.0f, 100.0f);
}

/* out[block] = sum of the block's share of in. */
extern "C" __global__ void
sum(float *out, const float *in, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float total = block_sum(i < n ? in[i] : 0.0f);

    if (threadIdx.x == 0)
        out[blockIdx.x] = total;
}

/* Launched nowhere: host code says so in the object, and the linker leaves it out. */
extern "C" __global__ void
fill(float *out, float value)
{
    out[blockIdx.x * blockDim.x + threadIdx.x] = value;
}

/* Host code: what it launches is what has to stay. */
void
run(float *values, float *sums, const float *in, int n)
{
    evaluate<<<(n + 255) / 256, 256>>>(values, in, n);
    sum<<<(n + 255) / 256, 256>>>(sums, in, n);
}
