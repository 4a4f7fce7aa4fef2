__device__ float inner(float x);

__device__ float outer(float x)
{
    return inner(x) + inner(x + 1);
}
__global__ void other(float *out)
{
    out[threadIdx.x] = outer(threadIdx.x * 2);
}
