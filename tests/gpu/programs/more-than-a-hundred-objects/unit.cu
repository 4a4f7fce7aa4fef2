#define JOIN(a, b) a##b
#define NAME(prefix, number) JOIN(prefix, number)

static __device__ int offset = INDEX;
static __constant__ int factor = INDEX + 2;

template <typename T> __device__ __noinline__ T common(T x)
{
    return x * 3 + 1;
}
__device__ int NAME(function_, INDEX)(int x)
{
    return common(x) * factor + offset;
}
