__device__ float halve(float x)
{
    return x / 2;
}

__device__ float root(float x)
{
    return sqrtf(x);
}
