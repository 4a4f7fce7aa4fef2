__global__ void sum(const int *data, int *total)
{
    atomicAdd(total, data[threadIdx.x]);
}
