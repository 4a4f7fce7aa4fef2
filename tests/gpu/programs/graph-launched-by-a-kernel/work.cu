__device__ void note(int *out)
{
    out[0] += 1000;
}

__global__ void work(int *out)
{
    out[threadIdx.x] += threadIdx.x + 1;
}
