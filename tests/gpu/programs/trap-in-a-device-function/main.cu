#include <cstdio>

typedef void (*action)(int *);
extern __device__ action actions[2];

__global__ void act(int *out, int which)
{
    actions[which](out);
}

int main()
{
    int *out, host = 0;
    cudaMalloc(&out, sizeof host);
    act<<<1, 1>>>(out, 0);
    cudaMemcpy(&host, out, sizeof host, cudaMemcpyDeviceToHost);
    printf("%d %s\n", host, cudaGetErrorName(cudaDeviceSynchronize()));
    act<<<1, 1>>>(out, 1);
    printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
