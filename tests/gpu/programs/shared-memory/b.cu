__device__ int reduce(int value)
{
    __shared__ int parts[64];
    parts[threadIdx.x] = value;
    __syncthreads();
    int sum = 0;
    for (int i = 0; i < 64; i++)
        sum += parts[i];
    return sum;
}
