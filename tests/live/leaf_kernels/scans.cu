// Prefix sums, compaction and sorting networks.
template <int SIZE>
__global__ void scan_shared(const int *in, int *out, int n)
{
    __shared__ int tile[2][SIZE];
    int side = 0, i = blockIdx.x * SIZE + threadIdx.x;
    tile[0][threadIdx.x] = i < n ? in[i] : 0;
    __syncthreads();
    for (int step = 1; step < SIZE; step *= 2) {
        side ^= 1;
        tile[side][threadIdx.x] = tile[side ^ 1][threadIdx.x] +
                                  (threadIdx.x >= step ? tile[side ^ 1][threadIdx.x - step] : 0);
        __syncthreads();
    }
    if (i < n)
        out[i] = tile[side][threadIdx.x];
}
template __global__ void scan_shared<128>(const int *, int *, int);
template __global__ void scan_shared<1024>(const int *, int *, int);

__global__ void scan_warp(const float *in, float *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
    float sum = in[i];
    for (int step = 1; step < 32; step *= 2) {
        float other = __shfl_up_sync(~0u, sum, step);
        if (lane >= step)
            sum += other;
    }
    out[i] = sum;
}

__global__ void scan_work_efficient(float *data, int n)
{
    extern __shared__ float temp[];
    int t = threadIdx.x, offset = 1;
    temp[2 * t] = data[2 * t];
    temp[2 * t + 1] = data[2 * t + 1];
    for (int d = n >> 1; d > 0; d >>= 1) {
        __syncthreads();
        if (t < d)
            temp[offset * (2 * t + 2) - 1] += temp[offset * (2 * t + 1) - 1];
        offset *= 2;
    }
    if (t == 0)
        temp[n - 1] = 0;
    for (int d = 1; d < n; d *= 2) {
        offset >>= 1;
        __syncthreads();
        if (t < d) {
            float swap = temp[offset * (2 * t + 1) - 1];
            temp[offset * (2 * t + 1) - 1] = temp[offset * (2 * t + 2) - 1];
            temp[offset * (2 * t + 2) - 1] += swap;
        }
    }
    __syncthreads();
    data[2 * t] = temp[2 * t];
    data[2 * t + 1] = temp[2 * t + 1];
}

__global__ void add_block_sums(int *data, const int *sums, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (blockIdx.x > 0 && i < n)
        data[i] += sums[blockIdx.x - 1];
}

__global__ void compact(const int *in, int *out, int *count, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    bool keep = i < n && in[i] > 0;
    unsigned mask = __ballot_sync(~0u, keep);
    int lane = threadIdx.x % 32, base = 0;
    if (lane == 0)
        base = atomicAdd(count, __popc(mask));
    base = __shfl_sync(~0u, base, 0);
    if (keep)
        out[base + __popc(mask & ((1u << lane) - 1))] = in[i];
}

template <typename T, int SIZE>
__global__ void bitonic_sort(T *data)
{
    __shared__ T keys[SIZE];
    keys[threadIdx.x] = data[blockIdx.x * SIZE + threadIdx.x];
    for (int size = 2; size <= SIZE; size *= 2)
        for (int step = size / 2; step > 0; step /= 2) {
            __syncthreads();
            int other = threadIdx.x ^ step;
            if (other > threadIdx.x) {
                bool up = (threadIdx.x & size) == 0;
                if ((keys[threadIdx.x] > keys[other]) == up) {
                    T swap = keys[threadIdx.x];
                    keys[threadIdx.x] = keys[other];
                    keys[other] = swap;
                }
            }
        }
    __syncthreads();
    data[blockIdx.x * SIZE + threadIdx.x] = keys[threadIdx.x];
}
template __global__ void bitonic_sort<int, 256>(int *);
template __global__ void bitonic_sort<float, 512>(float *);
template __global__ void bitonic_sort<double, 128>(double *);
template __global__ void bitonic_sort<unsigned char, 64>(unsigned char *);

__global__ void merge_sorted(const int *a, const int *b, int *out, int na, int nb)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= na)
        return;
    int low = 0, high = nb, key = a[i];
    while (low < high) {
        int middle = (low + high) / 2;
        if (b[middle] < key)
            low = middle + 1;
        else
            high = middle;
    }
    out[i + low] = key;
}

__global__ void radix_count(const unsigned *keys, unsigned *counts, int shift, int n)
{
    __shared__ unsigned bins[16];
    if (threadIdx.x < 16)
        bins[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&bins[keys[i] >> shift & 15], 1);
    __syncthreads();
    if (threadIdx.x < 16)
        counts[threadIdx.x * gridDim.x + blockIdx.x] = bins[threadIdx.x];
}

__global__ void odd_even_sort(int *data, int n)
{
    for (int round = 0; round < n; round++) {
        int i = 2 * threadIdx.x + (round & 1);
        if (i + 1 < n && data[i] > data[i + 1]) {
            int swap = data[i];
            data[i] = data[i + 1];
            data[i + 1] = swap;
        }
        __syncthreads();
    }
}
