#include <nvfunctional>

__device__ int compose(const nvstd::function<int(int)> &f, const nvstd::function<int(int)> &g, int x)
{
    return f(g(x));
}
