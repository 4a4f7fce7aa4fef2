#include <new>
#include "function.h"

__device__ int compose(const Function &f, const Function &g, int x)
{
    return f(g(x));
}
