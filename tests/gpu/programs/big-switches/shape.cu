static __device__ __noinline__ float detail(int kind, float x)
{
    switch (kind) {
    case 0: return sinf(x);
    case 1: return cosf(x);
    case 2: return x * x;
    case 3: return expf(-x * x);
    case 4: return fabsf(x);
    case 5: return rsqrtf(fabsf(x) + 1);
    case 6: return floorf(x);
    default: return x;
    }
}
__device__ float shape(int kind, float x)
{
    return detail(kind, x) + detail(9 - kind, x / 2) * 10;
}
