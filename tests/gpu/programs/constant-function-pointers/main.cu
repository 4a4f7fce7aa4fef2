#include "gpu.h"

typedef float (*unary)(float);
extern __constant__ unary unaries[5];
extern __device__ unary favourite;

__global__ void by_table(float *out)
{
    for (int i = 0; i < 5; i++)
        out[threadIdx.x * 5 + i] = unaries[(i + threadIdx.x) % 5](threadIdx.x * 0.5f);
}
__global__ void by_argument(unary function, float *out)
{
    out[threadIdx.x] = function(threadIdx.x * 0.5f);
}

int main()
{
    deep_stack();
    Array<float> table(32 * 5), argument(32);
    unary chosen;
    by_table<<<1, 32>>>(table);
    CHECK(cudaMemcpyFromSymbol(&chosen, unaries, sizeof chosen, 2 * sizeof chosen));
    by_argument<<<1, 32>>>(chosen, argument);
    FINISH();
    table.print("by table", 10);
    argument.print("by argument");
    CHECK(cudaMemcpyFromSymbol(&chosen, favourite, sizeof chosen));
    by_argument<<<1, 32>>>(chosen, argument);
    FINISH();
    argument.print("favourite");
}
