__device__ int shuffles(int value)
{
    int sum = value;
    for (int distance = 16; distance; distance /= 2)
        sum += __shfl_xor_sync(~0u, sum, distance);
    int up = __shfl_up_sync(~0u, value, 3), down = __shfl_down_sync(~0u, value, 5, 16);
    long long wide = __shfl_sync(~0u, (long long)value << 33, threadIdx.x * 7 % 32);
    return sum + up * 3 - down + (int)(wide >> 32) + __reduce_max_sync(~0u, value) + __reduce_xor_sync(~0u, value);
}
