__device__ unsigned lane()
{
    unsigned id, mask;
    asm("mov.u32 %0, %%laneid;" : "=r"(id));
    asm("mov.u32 %0, %%lanemask_lt;" : "=r"(mask));
    return id + __popc(mask);
}
__device__ int saturate(int a, int b)
{
    int sum;
    asm("add.sat.s32 %0, %1, %2;" : "=r"(sum) : "r"(a), "r"(b));
    return sum;
}
