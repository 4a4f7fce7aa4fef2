#include "gpu.h"
#include "library.h"

static __global__ void kernel(int *out)
{
    out[threadIdx.x] = next(threadIdx.x) * state;
}
void run_first(int *out)
{
    int changed = 7;
    CHECK(cudaMemcpyToSymbol(state, &changed, sizeof changed));
    kernel<<<1, 32>>>(out);
    FINISH();
}
