#include "gpu.h"

__device__ float wide(float x);
__device__ float narrow(float x);

__global__ void __launch_bounds__(1024) many_threads(float *out)
{
    out[threadIdx.x] = narrow(threadIdx.x);
}
__global__ void __launch_bounds__(128, 2) few_threads(float *out)
{
    out[threadIdx.x] = wide(threadIdx.x) + narrow(threadIdx.x);
}
__global__ void __maxnreg__(48) limited(float *out)
{
    out[threadIdx.x] = narrow(threadIdx.x) * 2;
}
__global__ void unlimited(float *out)
{
    out[threadIdx.x] = wide(threadIdx.x);
}

int main()
{
    Array<float> out(1024);
    RESOURCES(many_threads);
    RESOURCES(few_threads);
    RESOURCES(limited);
    RESOURCES(unlimited);
    many_threads<<<1, 1024>>>(out);
    few_threads<<<1, 128>>>(out);
    limited<<<1, 32>>>(out + 128);
    unlimited<<<1, 32>>>(out + 160);
    FINISH();
    out.print("out");
}
