__device__ int unused(int x)
{
    return x * 5;
}
