__device__ float on_stack(int n);

__device__ __noinline__ float deeper(int n)
{
    double cells[40];
    for (int i = 0; i < 40; i++)
        cells[i * 3 % 40] = i + n;
    return (float)cells[n % 40] + on_stack(n);
}
__device__ float deep(int n)
{
    __shared__ int table[77];
    if (n < 77)
        table[n] = n;
    __syncthreads();
    return deeper(table[n % 77]);
}
__device__ float named_barrier(int n)
{
    __shared__ float cells[128];
    cells[n] = n * 2;
    asm volatile("bar.sync 3, 128;" ::: "memory");
    float got = cells[n ^ 1];
    asm volatile("barrier.sync 7, 128;" ::: "memory");
    return got;
}
