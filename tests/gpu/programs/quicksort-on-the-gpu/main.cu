#include "gpu.h"
#include <algorithm>

__global__ void quicksort(int *data, int left, int right, int depth);

int main()
{
    deep_stack();
    std::vector<int> numbers(4000);
    unsigned state = 1;
    for (int &number : numbers)
        number = (state = state * 1664525u + 1013904223u) >> 12;
    Array<int> data(numbers);
    quicksort<<<1, 1>>>(data, 0, numbers.size() - 1, 0);
    FINISH();
    std::sort(numbers.begin(), numbers.end());
    printf("sorted: %s\n", data.read() == numbers ? "yes" : "no");
    data.print("data");
}
