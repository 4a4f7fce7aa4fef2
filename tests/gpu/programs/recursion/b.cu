__device__ int even(int n);
static __device__ __noinline__ int odd(int n)
{
    return n == 0 ? 0 : even(n - 1);
}
__device__ __noinline__ int even(int n)
{
    return n == 0 ? 1 : odd(n - 1);
}
