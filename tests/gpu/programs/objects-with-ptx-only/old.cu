__constant__ int steps[3] = {2, 4, 8};

__device__ int old_way(int x)
{
    return x * steps[x % 3];
}
