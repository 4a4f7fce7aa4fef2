__device__ unsigned scramble(unsigned x)
{
    x ^= x >> 16;
    x *= 0x7feb352du;
    return x ^ x >> 15;
}
