#include "counter.h"

__device__ change choose(int i)
{
    switch (i % 4) {
    case 0: return &Counter::down;
    case 3: return i == 7 ? &Counter::reset : &Counter::down;
    default: return &Counter::up;
    }
}

__device__ int subtract(int a, int b)
{
    return a - b;
}

__device__ operation of_name(char name)
{
    return name == '+' ? add<int> : subtract;
}
