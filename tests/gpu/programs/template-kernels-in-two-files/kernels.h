template <typename T> __device__ T top = T(90);

template <typename T> __device__ __noinline__ T bounded(T value)
{
    return value < top<T> ? value : top<T>;
}

template <typename T, int Step> __global__ void fill(T *out)
{
    __shared__ T row[64];
    row[threadIdx.x] = bounded(T(threadIdx.x * Step));
    __syncthreads();
    out[threadIdx.x] = row[63 - threadIdx.x];
}
void from_elsewhere(int *whole, double *real);
