__device__ int rotate(int value)
{
    __shared__ double wide[64];
    extern __shared__ int open[];
    wide[threadIdx.x] = value;
    __syncthreads();
    return (int)wide[(threadIdx.x + 1) % 64] + (open[threadIdx.x % 8] > 0);
}
