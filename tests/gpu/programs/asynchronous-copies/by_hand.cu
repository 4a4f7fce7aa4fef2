#include <cuda_pipeline.h>

__device__ int digest(const int *tile, int i)
{
    return tile[i] * 3 + tile[127 - i];
}

__global__ void by_hand(const int *in, int *out)
{
    __shared__ int tile[4][128];
    for (int i = 0; i < 4; i++) {
        __pipeline_memcpy_async(&tile[i][threadIdx.x], in + i * 128 + threadIdx.x, sizeof(int));
        __pipeline_commit();
    }
    __pipeline_wait_prior(0);
    __syncthreads();
    out[threadIdx.x] = digest(tile[0], threadIdx.x) + digest(tile[3], 127 - threadIdx.x);
}
