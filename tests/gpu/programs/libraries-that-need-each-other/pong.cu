__device__ int ping(int n);
extern __device__ int hits;

__device__ int pong(int n)
{
    return n > 0 ? ping(n - 1) * 2 + 1 : hits * 0;
}
