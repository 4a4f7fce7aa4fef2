#include "mix.h"

__device__ double elsewhere(double x)
{
    return mix<double, 5>(x) + mix<int, 9>((int)x) + 100 * cos(x * 1e6);
}
