#include "gpu.h"
#include <cuda_bf16.h>
#include <cuda_fp16.h>

__device__ __half horner(__half x);
__device__ __nv_bfloat162 blend(__nv_bfloat162 a, __nv_bfloat162 b);
__device__ unsigned char rounded(float x);

__global__ void compute(float *out)
{
    int i = threadIdx.x;
    __nv_bfloat162 mixed = blend(__floats2bfloat162_rn(i, -i), __floats2bfloat162_rn(0.5f, i * 0.25f));
    out[3 * i] = __half2float(horner(__float2half(i / 32.f)));
    out[3 * i + 1] = __low2float(mixed) + 100 * __high2float(mixed);
    out[3 * i + 2] = rounded(i * 1.7f);
}

int main()
{
    Array<float> out(3 * 64);
    compute<<<1, 64>>>(out);
    FINISH();
    out.print("out", 9);
}
