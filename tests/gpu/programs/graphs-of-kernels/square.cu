__device__ int step(int i)
{
    return i % 4;
}
__global__ void square(int *data)
{
    data[threadIdx.x] *= data[threadIdx.x];
}
