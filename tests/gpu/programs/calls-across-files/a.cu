__device__ int square(int x);
__device__ int counter;
extern __device__ int scale;

extern "C" __global__ void run(int *out)
{
    out[threadIdx.x] = square(threadIdx.x) * scale;
    atomicAdd(&counter, 1);
    __syncthreads();
    if (threadIdx.x == 0)
        out[32] = counter;
}
