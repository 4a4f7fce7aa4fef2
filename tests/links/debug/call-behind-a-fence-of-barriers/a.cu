__device__ unsigned address(const void *barrier)
{
    return (unsigned)__cvta_generic_to_shared(barrier);
}

__global__ void sets_up()
{
    __shared__ unsigned long long barriers[2];

    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(address(&barriers[0])));
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(address(&barriers[1])));
}
