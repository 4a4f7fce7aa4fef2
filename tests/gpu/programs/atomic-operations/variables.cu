__device__ int whole[8] = {0, 0, 0, 0, 0, -1, 0, 0};
__device__ unsigned long long wide[6];
__device__ double real;

__device__ int in_shared(int i)
{
    __shared__ int sum;
    __shared__ float parts[4];
    if (i == 0)
        sum = 0;
    if (i < 4)
        parts[i] = 0;
    __syncthreads();
    atomicAdd(&sum, i);
    atomicAdd(&parts[i % 4], 1.f);
    __syncthreads();
    return sum + (int)parts[i % 4];
}
__device__ void add_slowly(double *to, double value)
{
    unsigned long long *bits = (unsigned long long *)to, old = *bits, seen;
    do {
        seen = old;
        old = atomicCAS(bits, seen, __double_as_longlong(value + __longlong_as_double(seen)));
    } while (old != seen);
}
