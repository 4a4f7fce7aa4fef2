__device__ int old_way(int x);

__device__ int newer_way(int x)
{
    return __reduce_add_sync(~0u, x) + old_way(x);
}
__global__ void whole_kernel(int *out)
{
    __shared__ int cells[32];
    cells[threadIdx.x] = newer_way(threadIdx.x);
    __syncthreads();
    out[threadIdx.x] = cells[31 - threadIdx.x];
}
