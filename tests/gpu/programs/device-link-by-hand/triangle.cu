__device__ int triangle(int n)
{
    return n * (n + 1) / 2;
}
