static __device__ int calls;

__device__ int counted(int x)
{
    atomicAdd(&calls, 1);
    return x + 1;
}
