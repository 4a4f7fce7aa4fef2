#include "gpu.h"

__global__ void staged(const int *in, int *out, int tiles);
__global__ void by_hand(const int *in, int *out);

int main()
{
    std::vector<int> numbers(8 * 128);
    for (size_t i = 0; i < numbers.size(); i++)
        numbers[i] = i * i % 1009;
    Array<int> in(numbers), out(8 * 128), sums(128);
    RESOURCES(staged);
    RESOURCES(by_hand);
    staged<<<1, 128>>>(in, out, 8);
    by_hand<<<1, 128>>>(in, sums);
    FINISH();
    out.print("staged");
    sums.print("by hand");
}
