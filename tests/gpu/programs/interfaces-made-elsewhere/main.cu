#include "gpu.h"
#include "filter.h"

__global__ void make(Filter **filters)
{
    filters[threadIdx.x] = make_filter(threadIdx.x);
}
__global__ void apply(Filter **filters, float *out, int count)
{
    for (int i = 0; i < count; i++)
        out[threadIdx.x * count + i] = filters[i]->apply(threadIdx.x * 0.25f);
}
__global__ void remove(Filter **filters)
{
    delete filters[threadIdx.x];
}

int main()
{
    deep_stack();
    Array<Filter *> filters(4);
    Array<float> out(4 * 32);
    make<<<1, 4>>>(filters);
    apply<<<1, 32>>>(filters, out, 4);
    remove<<<1, 4>>>(filters);
    FINISH();
    out.print("out", 12);
}
