__device__ int weight = 7;

__device__ int share(int n)
{
    return n / 8;
}

__global__ void child(int *out, int first, int n)
{
    int i = first + threadIdx.x;
    out[i] = i * weight + n;
}
