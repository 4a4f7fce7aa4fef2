#include "gpu.h"

__global__ void waves(int *data, int n, int rounds);

int main()
{
    const int blocks = 8, threads = 64;
    int n = blocks * threads, rounds = 10;
    Array<int> data(2 * n);
    int *at = data;
    void *arguments[] = {&at, &n, &rounds};
    RESOURCES(waves);
    CHECK(cudaLaunchCooperativeKernel(waves, dim3(blocks), dim3(threads), arguments, 0, 0));
    FINISH();
    data.print("data");
}
