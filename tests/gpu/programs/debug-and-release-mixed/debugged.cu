static __device__ int twice(int x)
{
    int result = x * 2;
    return result;
}
__device__ int debugged(int x)
{
    int sum = 0;
    for (int i = 0; i < x; i++)
        sum += twice(i) % 7;
    return sum;
}
