__device__ int mix(int x, int round);

__global__ void work(int *out, int seed, int rounds)
{
    int value = out[threadIdx.x] + threadIdx.x + seed;
    for (int round = 0; round < rounds; round++)
        value = mix(value, round);
    out[threadIdx.x] = value;
}
