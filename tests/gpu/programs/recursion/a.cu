__device__ int even(int n);

__device__ __noinline__ int fibonacci(int n)
{
    return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

extern "C" __global__ void run(int *out)
{
    out[threadIdx.x] = fibonacci(threadIdx.x % 12) * 10 + even(threadIdx.x);
}
