#include "gpu.h"

__global__ void parent(int *out, int n);

int main()
{
    Array<int> out(512);
    RESOURCES(parent);
    parent<<<1, 1>>>(out, 512);
    FINISH();
    out.print("out");
}
