__device__ void start(unsigned long long *barrier, void *to, const void *from, int bytes)
{
    unsigned at = __cvta_generic_to_shared(barrier), into = __cvta_generic_to_shared(to);
    asm volatile("fence.proxy.async.shared::cta;\n"
                 "mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;\n"
                 "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%2], [%3], %1, [%0];" ::"r"(at),
                 "r"(bytes), "r"(into), "l"(from)
                 : "memory");
}
__device__ void wait(unsigned long long *barrier, int phase)
{
    asm volatile("{\n.reg .pred done;\nagain:\n"
                 "mbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1;\n"
                 "@!done bra again;\n}" ::"r"((unsigned)__cvta_generic_to_shared(barrier)),
                 "r"(phase)
                 : "memory");
}
