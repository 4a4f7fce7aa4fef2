__device__ unsigned votes(int value)
{
    unsigned same = __match_any_sync(~0u, value % 5);
    int all;
    __match_all_sync(~0u, value / 64, &all);
    unsigned odd = __ballot_sync(~0u, value & 1);
    return __popc(same) + __ffs(odd) + all + __any_sync(~0u, value == 40) * 2 + __all_sync(~0u, value < 64) * 4;
}
__device__ unsigned bits(unsigned value)
{
    unsigned mixed = __brev(value) ^ __byte_perm(value, ~value, 0x2741) ^ __funnelshift_l(value, value * 3, 11);
    return mixed + __clz(value | 1) + __dp4a(value, value >> 3, 7u) + __vadd4(value, 0x01020304) + __umulhi(value, value);
}
