#include "formula.h"

__device__ float unfused(float x)
{
    return formula(x) * x + formula(2 * x);
}
