#include "gpu.h"
#include "steps.h"

__global__ void compute(int *out)
{
    int i = threadIdx.x;
    out[i] = step<1>(i) + 100 * step<2>(i) + 10000 * step<3>(i) + 1000000 * use_steps(i);
}

int main()
{
    Array<int> out(32);
    RESOURCES(compute);
    compute<<<1, 32>>>(out);
    FINISH();
    out.print("out");
}
