#include "gpu.h"
#include <cuda_bf16.h>

__global__ void product(const __nv_bfloat16 *a, const __nv_bfloat16 *b, float *out);
__global__ void unequal(int *out);

int main()
{
    cudaDeviceProp found;
    CHECK(cudaGetDeviceProperties(&found, 0));
    if (found.major != 9) {
        printf("not this GPU\n");
        return 0;
    }
    std::vector<__nv_bfloat16> a(64 * 16), b(8 * 16);
    for (size_t i = 0; i < a.size(); i++)
        a[i] = __float2bfloat16((float)(i % 7) - 3);
    for (size_t i = 0; i < b.size(); i++)
        b[i] = __float2bfloat16((float)(i % 5) - 2);
    Array<__nv_bfloat16> left(a), right(b);
    Array<float> out(64 * 8);
    Array<int> numbers(384);
    RESOURCES(product);
    RESOURCES(unequal);
    product<<<1, 128>>>(left, right, out);
    unequal<<<1, 384>>>(numbers);
    FINISH();
    out.print("product");
    numbers.print("unequal");
}
