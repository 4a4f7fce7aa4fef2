__device__ int helper(int x)
{
    return x * x + 1;
}
