__device__ int prepare(int i);

__global__ void first(int *data)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    data[i] = prepare(i);
    cudaTriggerProgrammaticLaunchCompletion();
}

__global__ void second(const int *data, int *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, own = prepare(i + 1);
    cudaGridDependencySynchronize();
    out[i] = data[255 - i] + own;
}
