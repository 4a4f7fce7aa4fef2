#include "particles.h"

static __device__ float
damped(float distance)
{
    return spring(distance) / damping[threadIdx.x % 4];
}

__global__ void
advance(particle *p, int count)
{
    __shared__ float total[128];
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i >= count)
        return;
    total[threadIdx.x] = force_on(p[i], i % 2 ? damped : spring);
    __syncthreads();
    p[i].speed += total[threadIdx.x ^ 1];
    p[i].position += p[i].speed;
    atomicAdd(&steps, 1u);
}

void
run(particle *p, int count)
{
    advance<<<(count + 127) / 128, 128>>>(p, count);
}
