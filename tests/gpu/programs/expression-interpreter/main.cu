#include "gpu.h"
#include "expression.h"

__global__ void plot(const Expression *all, double *out)
{
    out[threadIdx.x] = evaluate(all, 0, threadIdx.x / 8.0);
}

int main()
{
    deep_stack();
    enum { NUMBER, VARIABLE, SUM, PRODUCT, SINE, POWER };
    // 3 * sin(x + 1) + x ^ 2.5 * (x + 0.5)
    std::vector<Expression> all = {{SUM, 0, 1, 6},     {PRODUCT, 0, 2, 3},  {NUMBER, 3, 0, 0}, {SINE, 0, 4, 0},
                                   {SUM, 0, 5, 10},    {VARIABLE, 0, 0, 0}, {PRODUCT, 0, 7, 9}, {POWER, 2.5, 5, 0},
                                   {NUMBER, 0.5, 0, 0}, {SUM, 0, 5, 8},      {NUMBER, 1, 0, 0}};
    Array<Expression> copy(all);
    Array<double> out(64);
    plot<<<1, 64>>>(copy, out);
    FINISH();
    out.print("plot", 10);
}
