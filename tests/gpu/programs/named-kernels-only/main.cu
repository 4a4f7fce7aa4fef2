#include "gpu.h"

extern "C" __global__ void wanted(int *out);
extern "C" __global__ void other(int *out);

int main()
{
    Array<int> out(32);
    wanted<<<1, 32>>>(out);
    FINISH();
    out.print("out");
    other<<<1, 32>>>(out);
    printf("%s\n", cudaGetErrorName(cudaGetLastError()));
}
