#include "gpu.h"
#include <cuda_fp16.h>

__global__ void half_product(const __half *a, const __half *b, float *c);
__global__ void byte_product(const signed char *a, const signed char *b, int *c);
__global__ void double_product(const double *a, const double *b, double *c);

template <typename T> static std::vector<T> numbers(int count, int modulus)
{
    std::vector<T> list(count);
    for (int i = 0; i < count; i++)
        list[i] = T(i * 7 % modulus - modulus / 2);
    return list;
}

int main()
{
    Array<__half> ha(numbers<__half>(256, 11)), hb(numbers<__half>(256, 13));
    Array<signed char> ba(numbers<signed char>(256, 17)), bb(numbers<signed char>(256, 19));
    Array<double> da(numbers<double>(32, 5)), db(numbers<double>(32, 7)), dc(64);
    Array<float> hc(256);
    Array<int> bc(256);
    RESOURCES(half_product);
    RESOURCES(byte_product);
    RESOURCES(double_product);
    half_product<<<1, 32>>>(ha, hb, hc);
    byte_product<<<1, 32>>>(ba, bb, bc);
    double_product<<<1, 32>>>(da, db, dc);
    FINISH();
    hc.print("half");
    bc.print("bytes");
    dc.print("double");
}
