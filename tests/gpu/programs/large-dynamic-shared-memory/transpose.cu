extern __shared__ float tile[];
__device__ void load(int side);
__device__ double total();

__global__ void transpose(float *out, int side)
{
    load(side);
    __syncthreads();
    for (int i = threadIdx.x; i < side * side; i += blockDim.x)
        out[i] = tile[i % side * side + i / side];
}
__global__ void small(float *out)
{
    tile[threadIdx.x] = 1.f / (threadIdx.x + 1);
    __syncthreads();
    out[threadIdx.x] = tile[255 - threadIdx.x] + (float)total();
}
