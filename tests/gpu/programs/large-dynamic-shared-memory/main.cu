#include "gpu.h"

__global__ void transpose(float *out, int side);
__global__ void small(float *out);

int main()
{
    const int side = 150;
    const size_t bytes = 96 * 1024;
    Array<float> out(side * side), other(256);
    CHECK(cudaFuncSetAttribute(transpose, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
    RESOURCES(transpose);
    RESOURCES(small);
    transpose<<<1, 256, bytes>>>(out, side);
    small<<<1, 256, 2048>>>(other);
    FINISH();
    out.print("transposed");
    other.print("small");
    int blocks;
    CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, transpose, 256, bytes));
    printf("%d blocks\n", blocks);
}
