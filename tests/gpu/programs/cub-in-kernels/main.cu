#include "gpu.h"
#include <cub/device/device_reduce.cuh>

__global__ void collectives(const int *in, int *out);

int main()
{
    std::vector<int> numbers(256);
    for (int i = 0; i < 256; i++)
        numbers[i] = i * 71 % 257;
    Array<int> in(numbers), out(256), sum(1);
    collectives<<<1, 256>>>(in, out);
    FINISH();
    out.print("sorted", 12);
    size_t bytes = 0;
    CHECK(cub::DeviceReduce::Sum(nullptr, bytes, (int *)in, (int *)sum, 256));
    Array<char> room(bytes);
    CHECK(cub::DeviceReduce::Sum((void *)room, bytes, (int *)in, (int *)sum, 256));
    FINISH();
    sum.print("sum");
}
