// Sums, minima, dot products and norms: by tree, by shuffle, by atomics.
template <typename T, int SIZE>
__global__ void reduce_tree(const T *in, T *out, int n)
{
    __shared__ T part[SIZE];
    int i = blockIdx.x * SIZE * 2 + threadIdx.x;
    part[threadIdx.x] = (i < n ? in[i] : T(0)) + (i + SIZE < n ? in[i + SIZE] : T(0));
    __syncthreads();
    for (int half = SIZE / 2; half > 0; half /= 2) {
        if (threadIdx.x < half)
            part[threadIdx.x] += part[threadIdx.x + half];
        __syncthreads();
    }
    if (threadIdx.x == 0)
        out[blockIdx.x] = part[0];
}
template __global__ void reduce_tree<int, 128>(const int *, int *, int);
template __global__ void reduce_tree<float, 256>(const float *, float *, int);
template __global__ void reduce_tree<double, 512>(const double *, double *, int);
template __global__ void reduce_tree<long long, 64>(const long long *, long long *, int);

template <typename T>
__global__ void reduce_shuffle(const T *in, T *out, int n)
{
    T sum = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        sum += in[i];
    for (int step = 16; step > 0; step /= 2)
        sum += __shfl_down_sync(~0u, sum, step);
    __shared__ T warps[32];
    if (threadIdx.x % 32 == 0)
        warps[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x < 32) {
        sum = threadIdx.x < blockDim.x / 32 ? warps[threadIdx.x] : T(0);
        for (int step = 16; step > 0; step /= 2)
            sum += __shfl_xor_sync(~0u, sum, step);
        if (threadIdx.x == 0)
            atomicAdd(out, sum);
    }
}
template __global__ void reduce_shuffle<int>(const int *, int *, int);
template __global__ void reduce_shuffle<float>(const float *, float *, int);
template __global__ void reduce_shuffle<double>(const double *, double *, int);

__global__ void dot(const float4 *a, const float4 *b, float *out, int n)
{
    float sum = 0;
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
        float4 x = a[i], y = b[i];
        sum += x.x * y.x + x.y * y.y + x.z * y.z + x.w * y.w;
    }
    atomicAdd(out, sum);
}

__global__ void smallest(const int *in, int *out, int *where, int n)
{
    int best = 0x7fffffff, at = -1;
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        if (in[i] < best)
            best = in[i], at = i;
    for (int step = 16; step; step >>= 1) {
        int other = __shfl_down_sync(~0u, best, step), place = __shfl_down_sync(~0u, at, step);
        if (other < best)
            best = other, at = place;
    }
    if (threadIdx.x == 0)
        *out = best, *where = at;
}

__global__ void warp_min(const unsigned *in, unsigned *out)
{
    unsigned value = in[blockIdx.x * 32 + threadIdx.x];
    out[blockIdx.x] = __reduce_min_sync(~0u, value);
}

__global__ void mean_and_variance(const float *in, float *mean, float *variance, int width)
{
    const float *row = in + (size_t)blockIdx.x * width;
    float sum = 0, squares = 0;
    for (int i = threadIdx.x; i < width; i += 32) {
        float x = row[i];
        sum += x;
        squares += x * x;
    }
    for (int step = 16; step; step >>= 1) {
        sum += __shfl_xor_sync(~0u, sum, step);
        squares += __shfl_xor_sync(~0u, squares, step);
    }
    if (threadIdx.x == 0) {
        mean[blockIdx.x] = sum / width;
        variance[blockIdx.x] = squares / width - sum / width * (sum / width);
    }
}

__global__ void softmax(const float *in, float *out, int width)
{
    const float *row = in + blockIdx.x * width;
    float most = -1e30f, sum = 0;
    for (int i = threadIdx.x; i < width; i += 32)
        most = fmaxf(most, row[i]);
    for (int step = 16; step; step >>= 1)
        most = fmaxf(most, __shfl_xor_sync(~0u, most, step));
    for (int i = threadIdx.x; i < width; i += 32)
        sum += __expf(row[i] - most);
    for (int step = 16; step; step >>= 1)
        sum += __shfl_xor_sync(~0u, sum, step);
    for (int i = threadIdx.x; i < width; i += 32)
        out[blockIdx.x * width + i] = __expf(row[i] - most) / sum;
}

__global__ void last_block_sums(const float *in, float *parts, float *out, unsigned *done, int n)
{
    __shared__ bool is_last;
    float sum = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        sum += in[i];
    for (int step = 16; step; step >>= 1)
        sum += __shfl_down_sync(~0u, sum, step);
    if (threadIdx.x == 0) {
        parts[blockIdx.x] = sum;
        __threadfence();
        is_last = atomicInc(done, gridDim.x) == gridDim.x - 1;
    }
    __syncthreads();
    if (is_last && threadIdx.x == 0) {
        float all = 0;
        for (int i = 0; i < gridDim.x; i++)
            all += ((volatile float *)parts)[i];
        *out = all;
        *done = 0;
    }
}
