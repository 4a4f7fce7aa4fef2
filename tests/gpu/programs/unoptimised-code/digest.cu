#include "heap.h"

__device__ long long digest(Heap<int, 32> *heap)
{
    long long value = 0;
    while (heap->count)
        value = value * 3 + heap->pop();
    return value;
}
