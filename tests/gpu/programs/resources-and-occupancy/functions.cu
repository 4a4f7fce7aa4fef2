__device__ float on_stack(int n)
{
    float cells[64];
    for (int i = 0; i < 64; i++)
        cells[i * 5 % 64] = i * n;
    return cells[n % 64];
}
__device__ float in_shared(int n)
{
    __shared__ float cells[1024];
    cells[n] = n;
    __syncthreads();
    return cells[127 - n];
}
