#include "gpu.h"
#include "values.h"

__global__ void compute(float *out)
{
    int i = threadIdx.x, list[5] = {3, 1, 4, 1, 5};
    auto [quotient, rest] = divide(i * 10, 7);
    cs::complex<float> spin = cs::polar(1.f, i * 0.1f);
    out[i] = weigh(make_value(i)) + find(list, i).value_or(-1) + quotient + rest + (spin * spin).real();
}

int main()
{
    Array<float> out(32);
    compute<<<1, 32>>>(out);
    FINISH();
    out.print("out", 8);
}
