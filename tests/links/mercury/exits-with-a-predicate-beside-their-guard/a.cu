__global__ void segmented_sum(const int *keys, const float *values, float *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x & 31;
    int key = keys[i];
    float sum = values[i];
    for (int step = 1; step < 32; step *= 2) {
        float before = __shfl_up_sync(~0u, sum, step);
        int other = __shfl_up_sync(~0u, key, step);
        if (lane >= step && other == key)
            sum += before;
    }
    int next = __shfl_down_sync(~0u, key, 1);
    if (lane == 31 || next != key)
        atomicAdd(out + key, sum);
}
