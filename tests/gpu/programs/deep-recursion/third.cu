__device__ int first(int n, int depth);

__device__ __noinline__ int third(int n, int depth)
{
    return n < 0 ? -depth : first(n, depth * 2 % 1001);
}
