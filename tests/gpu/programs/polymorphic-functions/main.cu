#include "gpu.h"
#include <new>
#include "function.h"

__global__ void compute(int *out)
{
    int i = threadIdx.x;
    Function own = [i](int x) { return x + i; };
    out[i] = compose(pick(i % 3, i), own, i) + compose(own, pick((i + 1) % 3, 2 * i), i);
}

int main()
{
    deep_stack();
    Array<int> out(64);
    compute<<<1, 64>>>(out);
    FINISH();
    out.print("out", 12);
}
