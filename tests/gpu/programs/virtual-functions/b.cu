#include "shape.h"

struct Square : Shape {
    __device__ int area(int n) const override { return n * n; }
};

__device__ Shape *make(int kind)
{
    if (kind == 0)
        return new Square;
    if (kind == 1)
        return new Scaled<5>;
    return new Scaled<7>;
}
