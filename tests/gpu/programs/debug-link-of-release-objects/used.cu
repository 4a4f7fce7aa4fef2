__device__ __noinline__ int unused(int x)
{
    __shared__ int cell[40];
    cell[x] = x;
    __syncthreads();
    return cell[x ^ 1];
}
__device__ int used(int x)
{
    __shared__ int cell[32];
    cell[x] = 5 * x;
    __syncthreads();
    return cell[x ^ 1];
}
__global__ void forgotten(int *out)
{
    *out = unused(1);
}
