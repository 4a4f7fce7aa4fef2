namespace cutlass {

__device__ float limited(float x, float most)
{
    return x > most ? most : x;
}

}

template <int WIDTH>
__global__ void cutlass_products(const float *a, const float *b, float *c, int n)
{
    __shared__ float part[WIDTH][WIDTH + 1];
    int row = blockIdx.y * WIDTH + threadIdx.y, column = blockIdx.x * WIDTH + threadIdx.x;
    float sum = 0;

    for (int k = 0; k < n; k += WIDTH) {
        part[threadIdx.y][threadIdx.x] = b[(k + threadIdx.y) * n + column];
        __syncthreads();
        for (int i = 0; i < WIDTH; i++)
            sum += a[row * n + k + i] * part[i][threadIdx.x];
        __syncthreads();
    }
    c[row * n + column] = cutlass::limited(sum, 1e6f);
}

template __global__ void cutlass_products<8>(const float *, const float *, float *, int);

__global__ void cutlass_steps(const float *a, float *b, unsigned *found, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i >= n)
        return;
    float x = a[i];
    for (int k = 0; k < (i & 7); k++)
        x = cutlass::limited(x * x / (x + 3), 100);
    if (x > 3) {
        asm volatile("red.global.add.u32 [%0], 1;" ::"l"(found));
        asm volatile("membar.gl;" ::: "memory");
    }
    b[i] = x;
}

__global__ void others(const double *a, double *b)
{
    b[threadIdx.x] = a[threadIdx.x] / a[threadIdx.x + 1];
}
