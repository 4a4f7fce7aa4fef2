#include "gpu.h"

__global__ void histogram(const int *in, int *out, int n);
__global__ void ring(int *out);

int main()
{
    std::vector<int> numbers(1024);
    for (int i = 0; i < 1024; i++)
        numbers[i] = i * i % 509 % 64;
    Array<int> in(numbers), out(64), around(4 * 32);
    RESOURCES(histogram);
    RESOURCES(ring);
    histogram<<<4, 128>>>(in, out, 1024);
    ring<<<4, 32>>>(around);
    FINISH();
    out.print("bins", 16);
    around.print("ring", 8);
}
