#include "gpu.h"
#include "counter.h"

__device__ void Counter::down(int n)
{
    value -= n;
}
__device__ void Counter::reset(int n)
{
    value = n;
}

__global__ void count(int *out)
{
    Counter counter;
    counter.value = 1000;
    for (int i = 0; i <= (int)threadIdx.x; i++)
        (counter.*choose(i))(i);
    out[threadIdx.x] = counter.value;
}
__global__ void operate(int *out)
{
    operation plus = of_name('+'), minus = of_name('-');
    out[0] = plus(40, 2) * 100 + minus(40, 2);
    out[1] = plus == (operation)add<int>;
    out[2] = minus == subtract;
    out[3] = plus != minus;
}

int main()
{
    deep_stack();
    Array<int> out(32), same(4);
    count<<<1, 32>>>(out);
    operate<<<1, 1>>>(same);
    FINISH();
    out.print("counts", 16);
    same.print("operations");
}
