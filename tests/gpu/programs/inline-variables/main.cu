#include "gpu.h"
#include "counters.h"

__global__ void second(int *out);

__global__ void first(int *out)
{
    out[0] = ticket();
    atomicAdd(counter<int>(), 10);
    total += factors[0];
}

int main()
{
    Array<int> out(8);
    first<<<1, 1>>>(out);
    second<<<1, 1>>>(out);
    first<<<1, 1>>>(out + 5);
    FINISH();
    int value;
    CHECK(cudaMemcpyFromSymbol(&value, total, sizeof value));
    printf("total %d\n", value);
    out.print("out", 8);
}
