__device__ int shared_part(int x);
__device__ int dropped_part(int x);

extern "C" __global__ void wanted(int *out)
{
    out[threadIdx.x] = shared_part(threadIdx.x);
}
extern "C" __global__ void other(int *out)
{
    out[threadIdx.x] = dropped_part(threadIdx.x) + shared_part(1);
}
