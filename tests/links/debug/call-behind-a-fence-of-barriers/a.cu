__device__ unsigned address(const void *barrier)
{
    unsigned long long in_shared;

    asm("cvta.to.shared.u64 %0, %1;" : "=l"(in_shared) : "l"(barrier));
    return (unsigned)in_shared;
}

__global__ void sets_up()
{
    __shared__ unsigned long long barriers[2];

    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(address(&barriers[0])));
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(address(&barriers[1])));
}
