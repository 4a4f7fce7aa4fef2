extern __shared__ float4 quads[];
extern __shared__ double reals[];

__device__ void load(int side)
{
    for (int i = threadIdx.x; i < side * side / 4; i += blockDim.x)
        quads[i] = make_float4(4 * i, 4 * i + 1, 4 * i + 2, 4 * i + 3);
}
__device__ double total()
{
    __shared__ double sum;
    if (threadIdx.x == 0) {
        sum = 0;
        for (int i = 0; i < 16; i++)
            sum += reals[i] > 0 ? 1 : 2;
    }
    __syncthreads();
    return sum;
}
