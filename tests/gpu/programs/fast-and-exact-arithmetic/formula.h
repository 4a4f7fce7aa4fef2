static __device__ __noinline__ float formula(float x)
{
    return sinf(x) * expf(-x) + x / 3.7f + sqrtf(x) + 1e-40f * x;
}
__device__ float fast(float x);
__device__ float unfused(float x);
