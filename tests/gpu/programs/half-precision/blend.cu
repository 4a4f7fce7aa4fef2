#include <cuda_bf16.h>
#include <cuda_fp8.h>

__device__ __nv_bfloat162 blend(__nv_bfloat162 a, __nv_bfloat162 b)
{
    return __hfma2(a, __float2bfloat162_rn(0.75f), __hmul2(b, __float2bfloat162_rn(0.25f)));
}
__device__ unsigned char rounded(float x)
{
    return __nv_cvt_float_to_fp8(x, __NV_SATFINITE, __NV_E4M3) + (unsigned char)__nv_fp8_e5m2(x).__x;
}
