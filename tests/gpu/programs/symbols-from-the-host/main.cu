#include "gpu.h"

extern __device__ int numbers[16];
extern __constant__ float ratio;
extern __device__ unsigned char bytes[3];
static __device__ double own[2];
__global__ void touch(int *out);
void *static_address();

int main()
{
    size_t size;
    void *address, *again;
    CHECK(cudaGetSymbolSize(&size, numbers));
    CHECK(cudaGetSymbolAddress(&address, numbers));
    CHECK(cudaGetSymbolAddress(&again, numbers));
    printf("%zu %d\n", size, address == again);
    CHECK(cudaGetSymbolSize(&size, own));
    printf("%zu\n", size);

    int host[16];
    for (int i = 0; i < 16; i++)
        host[i] = i * i;
    float two = 2.5f;
    unsigned char letters[3] = {'a', 'b', 'c'};
    CHECK(cudaMemcpyToSymbol(numbers, host, sizeof host));
    CHECK(cudaMemcpyToSymbol(ratio, &two, sizeof two));
    CHECK(cudaMemcpyToSymbol(bytes, letters, 2, 1));
    CHECK(cudaMemset(static_address(), 1, 8));
    Array<int> out(16);
    touch<<<1, 16>>>(out);
    FINISH();
    out.print("out", 16);
    CHECK(cudaMemcpyFromSymbol(host, numbers, 8 * sizeof(int), 4 * sizeof(int)));
    printf("%d %d\n", host[0], host[7]);
}
