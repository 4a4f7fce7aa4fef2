#include "gpu.h"

__global__ void dispatch(int *out);

int main()
{
    deep_stack();
    Array<int> out(96);
    dispatch<<<1, 1>>>(out);
    FINISH();
    out.print("out", 12);
}
