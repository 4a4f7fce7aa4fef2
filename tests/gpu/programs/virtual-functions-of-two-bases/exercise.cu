#include "animals.h"

__device__ int exercise(Walker *walker, Swimmer *swimmer, int n)
{
    return walker->walk(n) + 100 * swimmer->swim(n) + 10000 * swimmer->rest();
}
