__device__ int third(int n, int depth);

__device__ __noinline__ int second(int n, int depth)
{
    int kept[4] = {n, depth, n + depth, n - depth};
    int below = third(n - 2, depth + 1);
    return below + kept[(below & 0xff) % 4] % 3;
}
