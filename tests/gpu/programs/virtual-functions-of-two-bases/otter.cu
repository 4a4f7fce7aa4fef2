#include "animals.h"

__device__ Otter::Otter()
{
    legs = 4;
    fins = 3;
}
__device__ int Otter::swim(int n)
{
    return Duck::swim(n) * fins;
}
__device__ int Otter::rest()
{
    return legs + Swimmer::rest();
}
