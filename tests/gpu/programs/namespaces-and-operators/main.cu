#include "gpu.h"
#include "vector.h"
using namespace geometry::v1;

static __device__ Vector line(float t)
{
    return {t, 2 * t, -t};
}

extern "C" __global__ void compute(float *out)
{
    float i = threadIdx.x;
    Vector a = {i, 1, 2}, b = 0.5f * a + Vector{1, i, 3};
    b += a;
    out[threadIdx.x] = (a | b) + geometry::length(b) + (float)geometry::length(3.0, 4.0) +
                       geometry::length(line, i) + plain_c(i) +
                       depth(Pair<Pair<int, Pair<float, char>>, Pair<double, Pair<int *, const char *>>>());
}

int main()
{
    Array<float> out(64);
    compute<<<1, 64>>>(out);
    FINISH();
    out.print("out");
}
