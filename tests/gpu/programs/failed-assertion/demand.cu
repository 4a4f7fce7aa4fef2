#include <cassert>

__device__ __noinline__ void demand(int value, int least)
{
    assert(value >= least);
}
