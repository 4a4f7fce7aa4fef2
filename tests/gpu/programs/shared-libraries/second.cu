#include "gpu.h"
#include "library.h"

static __global__ void kernel(int *out)
{
    out[threadIdx.x] = next(next(threadIdx.x)) - state;
}
void run_second(int *out)
{
    kernel<<<1, 32>>>(out);
    FINISH();
}
