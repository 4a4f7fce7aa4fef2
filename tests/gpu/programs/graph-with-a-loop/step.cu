__device__ long long collatz(long long n);

__global__ void step(long long *value, int *count, cudaGraphConditionalHandle loop)
{
    *value = collatz(*value);
    ++*count;
    if (*value == 1)
        cudaGraphSetConditional(loop, 0);
}
