/*
 * A device function with a constant table. The table's place in the constant
 * bank is known only after linking.
 */
#include "clamp.h"

__constant__ float coefficients[4] = { 1.0f, -2.0f, 0.5f, 0.25f };
__device__ unsigned int evaluations; /* a global variable, zero at load time */

__device__ __noinline__ float
polynomial(float x)
{
    float value = 0.0f;

    x = clamp(x, -4.0f, 4.0f);
    for (int k = 3; k >= 0; k--)
        value = value * x + coefficients[k];
    atomicAdd(&evaluations, 1u);
    return value;
}

/* Called by no kernel: the linker leaves it out. */
__device__ __noinline__ float
derivative(float x)
{
    return (3.0f * coefficients[3] * x + 2.0f * coefficients[2]) * x + coefficients[1];
}
