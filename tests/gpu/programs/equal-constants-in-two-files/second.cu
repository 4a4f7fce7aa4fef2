__constant__ int second[4] = {1, 2, 3, 4};

__device__ int second_of(int i)
{
    return second[(i + 1) % 4];
}
