#include "library.h"

__device__ int state = 100;
__device__ int next(int x)
{
    return x + 1;
}
