/*
 * A device function that owns shared memory. Only the linker knows which
 * kernels reach it, so only the linker can give each of them the space.
 */
#define MAX_THREADS 256

/* Sum over the threads of a block (a power of two, at most MAX_THREADS). */
__device__ __noinline__ float
block_sum(float value)
{
    __shared__ float partial[MAX_THREADS];

    partial[threadIdx.x] = value;
    __syncthreads();
    for (unsigned int step = blockDim.x / 2; step > 0; step /= 2) {
        if (threadIdx.x < step)
            partial[threadIdx.x] += partial[threadIdx.x + step];
        __syncthreads();
    }
    return partial[0];
}
