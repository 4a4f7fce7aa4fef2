#include "table.h"

static __device__ unsigned murmur(unsigned x)
{
    x = (x ^ x >> 16) * 0x85ebca6bu;
    x = (x ^ x >> 13) * 0xc2b2ae35u;
    return x ^ x >> 16;
}
static __device__ unsigned multiplicative(unsigned x)
{
    return x * 2654435769u;
}
__constant__ hash hashes[2] = {murmur, multiplicative};
