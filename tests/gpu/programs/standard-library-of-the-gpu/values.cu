#include "values.h"

__device__ Value make_value(int i)
{
    if (i % 3 == 0)
        return i;
    if (i % 3 == 1)
        return i * 0.5f;
    return cs::array<int, 3>{i, i + 1, i + 2};
}

struct Weigh {
    __device__ float operator()(int i) const { return i; }
    __device__ float operator()(float f) const { return f; }
    __device__ float operator()(const cs::array<int, 3> &list) const { return list[0] + list[1] * list[2]; }
};
__device__ float weigh(const Value &value)
{
    return cs::visit(Weigh(), value);
}
