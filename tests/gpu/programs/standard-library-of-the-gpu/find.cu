#include "values.h"

__device__ cs::optional<int> find(cs::span<const int> list, int wanted)
{
    for (size_t i = 0; i < list.size(); i++)
        if (list[i] == wanted)
            return (int)i;
    return cs::nullopt;
}
__device__ cs::tuple<int, float> divide(int a, int b)
{
    return cs::make_tuple(a / b, a % b / 100.f);
}
