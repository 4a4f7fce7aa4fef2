#include "gpu.h"

extern __constant__ float scale[16];
extern __constant__ int big[8000];
__constant__ short small_one = -3;
__constant__ int never_used[100] = {1, 2, 3};
__device__ float scaled(int i);
__device__ int picked(int i);

__global__ void mix(float *out)
{
    int i = threadIdx.x;
    out[i] = scaled(i) + picked(i) + small_one;
}

int main()
{
    std::vector<int> numbers(8000);
    for (int i = 0; i < 8000; i++)
        numbers[i] = i * 13 % 997;
    CHECK(cudaMemcpyToSymbol(big, numbers.data(), numbers.size() * sizeof(int)));
    float more = 9.5f;
    CHECK(cudaMemcpyToSymbol(scale, &more, sizeof more, 3 * sizeof(float)));
    Array<float> out(128);
    RESOURCES(mix);
    mix<<<1, 128>>>(out);
    FINISH();
    out.print("mixed", 10);
    size_t size;
    CHECK(cudaGetSymbolSize(&size, big));
    printf("%zu bytes\n", size);
}
