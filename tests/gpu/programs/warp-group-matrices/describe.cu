__device__ unsigned long long describe(const void *tile, int leading, int stride)
{
    unsigned long long address = __cvta_generic_to_shared(tile);
    return (address & 0x3ffff) >> 4 | (unsigned long long)(leading >> 4) << 16 | (unsigned long long)(stride >> 4) << 32;
}

__global__ void __launch_bounds__(384, 1) unequal(int *out)
{
    if (threadIdx.x < 128)
        asm volatile("setmaxnreg.dec.sync.aligned.u32 40;");
    else
        asm volatile("setmaxnreg.inc.sync.aligned.u32 232;");
    out[threadIdx.x] = threadIdx.x * 3;
}
