#include "gpu.h"
#include "matrix.h"

__global__ void traces(float *real, long long *whole)
{
    real[threadIdx.x] = power_trace(1.f + threadIdx.x / 64.f, 5);
    whole[threadIdx.x] = power_trace((long long)threadIdx.x % 7, 9);
    Matrix<float, 3> unit;
    unit.identity();
    real[threadIdx.x] += unit.times(unit).trace();
}

int main()
{
    Array<float> real(64);
    Array<long long> whole(64);
    traces<<<1, 64>>>(real, whole);
    FINISH();
    real.print("real");
    whole.print("whole", 8);
}
