// Device functions, shared and constant data with full debug information.
__constant__ int scale = 3;
__device__ int total = 1;
extern __device__ int twice(int x);

template <class T> __device__ __noinline__ T shift(T x) { return x + total; }

__global__ void first(int *out)
{
    __shared__ int part[4];
    part[threadIdx.x & 3] = twice(*out) * scale;
    *out = shift(part[0]);
}
