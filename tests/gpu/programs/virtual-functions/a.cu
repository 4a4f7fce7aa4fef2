#include "shape.h"

extern "C" __global__ void run(int *out)
{
    for (int kind = 0; kind < 3; kind++) {
        Shape *shape = make(kind);
        out[threadIdx.x * 3 + kind] = shape->area(threadIdx.x + 1);
        delete shape;
    }
}
