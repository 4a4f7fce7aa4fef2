#include "gpu.h"
#include <nvfunctional>

__device__ nvstd::function<int(int)> pick(int kind, int bias);
__device__ int compose(const nvstd::function<int(int)> &f, const nvstd::function<int(int)> &g, int x);

__global__ void compute(int *out)
{
    int i = threadIdx.x;
    nvstd::function<int(int)> own = [i](int x) { return x + i; };
    out[i] = compose(pick(i % 3, i), own, i) + compose(own, pick((i + 1) % 3, 2 * i), i);
}

int main()
{
    Array<int> out(64);
    compute<<<1, 64>>>(out);
    FINISH();
    out.print("out", 12);
}
