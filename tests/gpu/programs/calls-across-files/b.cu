__device__ int scale = 3;

static __device__ __noinline__ int twice(int x)
{
    return 2 * x;
}

__device__ __noinline__ int square(int x)
{
    return twice(x) * x / 2;
}
