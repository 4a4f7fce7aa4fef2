__device__ int pong(int n);
__device__ int hits;

__device__ int ping(int n)
{
    atomicAdd(&hits, 1);
    return n > 0 ? pong(n - 1) + 2 : 0;
}
