__device__ int grade(int lane);

__global__ void leaf(int *sums, int node)
{
    atomicAdd(&sums[node], grade(threadIdx.x));
}
