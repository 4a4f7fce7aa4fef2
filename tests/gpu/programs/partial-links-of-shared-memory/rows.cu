__constant__ int row_factors[2] = {3, 5};

__device__ int rows(int i)
{
    __shared__ int cells[32];
    cells[i] = i * row_factors[i % 2];
    __syncthreads();
    return cells[(i + 1) % 32];
}
