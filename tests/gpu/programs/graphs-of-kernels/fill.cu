__device__ int step(int i);

__global__ void fill(int *data, int value)
{
    data[threadIdx.x] = value + step(threadIdx.x);
}
