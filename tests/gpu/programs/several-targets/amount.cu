__device__ int amount(int x)
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    return x * 9;
#else
    return x * 8;
#endif
}
