#include <cstdio>

__device__ void demand(int value, int least);

__global__ void check_all(int *values)
{
    demand(values[threadIdx.x], 1);
}

int main()
{
    int host[4] = {4, 3, 0, 1}, *values;
    cudaMalloc(&values, sizeof host);
    cudaMemcpy(values, host, sizeof host, cudaMemcpyHostToDevice);
    check_all<<<1, 4>>>(values);
    printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
