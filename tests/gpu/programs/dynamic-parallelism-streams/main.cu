#include "gpu.h"

__global__ void in_order(int *out);
__global__ void apart(int *out);

int main()
{
    Array<int> out(256);
    in_order<<<1, 1>>>(out);
    FINISH();
    apart<<<1, 4>>>(out + 128);
    FINISH();
    out.print("out", 8);
}
