__global__ void k(int *p)
{
    p[threadIdx.x] = p[0] + 3;
}
