#include "animals.h"

__device__ Duck::Duck()
{
    legs = 2;
    fins = 1;
}
__device__ int Duck::walk(int n)
{
    return n * legs;
}
__device__ int Duck::swim(int n)
{
    return n + fins;
}
