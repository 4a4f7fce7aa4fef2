extern __device__ int scale(int x);

__global__ void
kernel(int *p)
{
    p[threadIdx.x] = scale(p[threadIdx.x]);
}

int
main()
{
    kernel<<<1, 1>>>(nullptr);
    return 0;
}
