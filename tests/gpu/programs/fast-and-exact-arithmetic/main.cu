#include "gpu.h"
#include "formula.h"

__global__ void compare(float *out)
{
    float x = threadIdx.x / 16.f;
    out[3 * threadIdx.x] = formula(x);
    out[3 * threadIdx.x + 1] = fast(x);
    out[3 * threadIdx.x + 2] = unfused(x);
}

int main()
{
    Array<float> out(3 * 64);
    compare<<<1, 64>>>(out);
    FINISH();
    out.print("out", 12);
}
