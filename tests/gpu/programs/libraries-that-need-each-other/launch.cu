__device__ int ping(int n);

static __global__ void play(int *out)
{
    out[threadIdx.x] = ping(threadIdx.x);
}

void launch(int *out)
{
    play<<<1, 32>>>(out);
}
