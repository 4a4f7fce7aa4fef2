__device__ int reduce(int value);
__device__ int rotate(int value);

extern "C" __global__ void run(int *out)
{
    __shared__ int own[64];
    extern __shared__ int open[];
    own[threadIdx.x] = threadIdx.x;
    open[threadIdx.x] = 1000 + threadIdx.x;
    __syncthreads();
    int sum = reduce(own[63 - threadIdx.x]);
    out[threadIdx.x] = sum + rotate(own[threadIdx.x]) + open[63 - threadIdx.x];
}

extern "C" __global__ void other(int *out)
{
    out[threadIdx.x] = rotate(threadIdx.x);
}
