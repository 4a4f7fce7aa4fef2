__device__ __noinline__ int ackermann(int m, int n)
{
    if (m == 0)
        return n + 1;
    return n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1));
}
__device__ int second(int n, int depth);

__device__ __noinline__ int first(int n, int depth)
{
    return n <= 0 ? depth : second(n - 1, depth + 1) + n % 2;
}
