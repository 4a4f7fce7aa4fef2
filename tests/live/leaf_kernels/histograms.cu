// Histograms, and what else many threads write to one place.
template <int BINS>
__global__ void histogram_shared(const unsigned char *in, unsigned *out, int n)
{
    __shared__ unsigned bins[BINS];
    for (int i = threadIdx.x; i < BINS; i += blockDim.x)
        bins[i] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
        atomicAdd(&bins[in[i] % BINS], 1);
    __syncthreads();
    for (int i = threadIdx.x; i < BINS; i += blockDim.x)
        atomicAdd(&out[i], bins[i]);
}
template __global__ void histogram_shared<64>(const unsigned char *, unsigned *, int);
template __global__ void histogram_shared<256>(const unsigned char *, unsigned *, int);

__global__ void histogram_global(const float *in, unsigned *bins, int n, float low, float scale)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        int bin = (int)((in[i] - low) * scale);
        if (bin >= 0 && bin < 1024)
            atomicAdd(&bins[bin], 1u);
    }
}

__global__ void histogram_packed(const uchar4 *in, unsigned *out, int n)
{
    __shared__ unsigned char mine[256 * 32];
    for (int i = threadIdx.x; i < 256 * 8; i += blockDim.x)
        ((unsigned *)mine)[i] = 0;
    __syncthreads();
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
        uchar4 v = in[i];
        mine[v.x * 32 + threadIdx.x % 32]++;
        mine[v.y * 32 + threadIdx.x % 32]++;
        mine[v.z * 32 + threadIdx.x % 32]++;
        mine[v.w * 32 + threadIdx.x % 32]++;
    }
    __syncthreads();
    for (int bin = threadIdx.x; bin < 256; bin += blockDim.x) {
        unsigned sum = 0;
        for (int k = 0; k < 32; k++)
            sum += mine[bin * 32 + k];
        out[bin] = sum;
    }
}

__global__ void histogram_aggregated(const int *in, int *bins, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        unsigned peers = __match_any_sync(__activemask(), in[i]);
        if (__ffs(peers) - 1 == threadIdx.x % 32)
            atomicAdd(&bins[in[i]], __popc(peers));
    }
}

__global__ void scatter(const int *keys, const float *values, float *out, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        out[keys[i]] = values[i];
}

__global__ void gather(const int *keys, const double *values, double *out, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        out[i] = keys[i] < 0 ? 0.0 : values[keys[i]];
}

__global__ void count_words(const char *text, int n, int *words)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    bool starts = i < n && text[i] > ' ' && (i == 0 || text[i - 1] <= ' ');
    int count = __syncthreads_count(starts);
    if (threadIdx.x == 0)
        atomicAdd(words, count);
}

__global__ void hash_insert(const unsigned *keys, unsigned *table, unsigned mask, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    unsigned key = keys[i], slot = (key * 2654435761u) & mask;
    for (;;) {
        unsigned before = atomicCAS(&table[slot], 0xffffffffu, key);
        if (before == 0xffffffffu || before == key)
            return;
        slot = (slot + 1) & mask;
    }
}

__global__ void hash_lookup(const unsigned *keys, const uint2 *table, unsigned *found, unsigned mask, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    unsigned key = keys[i], slot = (key ^ key >> 15) & mask, value = ~0u;
    for (int tries = 0; tries < 64; tries++) {
        uint2 entry = table[slot];
        if (entry.x == key) {
            value = entry.y;
            break;
        }
        if (entry.x == 0)
            break;
        slot = (slot + tries + 1) & mask;
    }
    found[i] = value;
}
