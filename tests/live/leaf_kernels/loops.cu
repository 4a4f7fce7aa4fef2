// Control: switches, early exits, nested loops, unrolled loops, state machines, traversals.
__global__ void choose(const int *what, const int *in, int *out)
{
    int v = in[threadIdx.x];
    switch (what[threadIdx.x]) {
    case 0: v += 3; break;
    case 1: v *= in[threadIdx.x + 1]; break;
    case 2: v ^= 0x55; break;
    case 3: v = v << (v & 3); break;
    case 4: v = in[v & 31]; break;
    case 5: v -= in[threadIdx.x + 2] * 7; break;
    case 6: v = -v; break;
    case 7: v |= in[31]; break;
    case 8: v = __popc(v); break;
    case 9: v = v / 3; break;
    default: v = 0;
    }
    out[threadIdx.x] = v;
}

__global__ void choose_and_publish(const int *what, int *data, volatile int *flag)
{
    int v = data[threadIdx.x];
    __threadfence();
    switch (what[threadIdx.x]) {
    case 0: v += 3; break;
    case 1: v *= data[31]; break;
    case 2: v ^= data[v & 31]; break;
    case 3: *flag = v; __threadfence(); break;
    case 4: v = 7 - v; break;
    case 5: atomicAdd(data, v); break;
    case 6: v = __clz(v); break;
    }
    data[threadIdx.x] = v;
}

__global__ void interpret(const unsigned char *code, float *stack, int length)
{
    float a = stack[0], b = stack[1];
    for (int pc = 0; pc < length; pc++)
        switch (code[pc]) {
        case 0: a += b; break;
        case 1: a -= b; break;
        case 2: a *= b; break;
        case 3: a = __fdividef(a, b); break;
        case 4: b = a; break;
        case 5: a = stack[(int)b]; break;
        case 6: stack[(int)b] = a; break;
        case 7: a = sqrtf(a); break;
        case 8: b += 1; break;
        case 9: if (a < b) pc = 0; break;
        case 10: pc = length; break;
        }
    stack[0] = a;
    stack[1] = b;
}

__global__ void collatz(const unsigned *in, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    unsigned long long v = in[i];
    int steps = 0;
    while (v > 1 && steps < 10000) {
        v = v & 1 ? 3 * v + 1 : v / 2;
        steps++;
    }
    out[i] = steps;
}

__global__ void primes(unsigned char *is_prime, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x + 2;
    if (i > n)
        return;
    bool prime = true;
    for (int d = 2; d * d <= i && prime; d++)
        if (i % d == 0)
            prime = false;
    is_prime[i] = prime;
}

__global__ void find_text(const char *text, const char *pattern, int *where, int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i + m > n)
        return;
    for (int k = 0; k < m; k++)
        if (text[i + k] != pattern[k])
            return;
    atomicMin(where, i);
}

__global__ void breadth_first(const int *offsets, const int *edges, int *level, int *frontier, int current, int n)
{
    int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v >= n || level[v] != current)
        return;
    for (int e = offsets[v]; e < offsets[v + 1]; e++) {
        int to = edges[e];
        if (level[to] < 0) {
            level[to] = current + 1;
            *frontier = 1;
        }
    }
}

__global__ void page_rank(const int *offsets, const int *edges, const float *rank, const int *degree, float *next, int n)
{
    int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v < n) {
        float sum = 0;
        for (int e = offsets[v]; e < offsets[v + 1]; e++)
            sum += __fdividef(rank[edges[e]], degree[edges[e]]);
        next[v] = 0.15f + 0.85f * sum;
    }
}

__global__ void n_body(const float4 *bodies, float4 *speeds, int n, float dt)
{
    extern __shared__ float4 tile[];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float4 me = bodies[i];
    float3 force = {0, 0, 0};
    for (int base = 0; base < n; base += blockDim.x) {
        tile[threadIdx.x] = bodies[base + threadIdx.x];
        __syncthreads();
#pragma unroll 4
        for (int k = 0; k < blockDim.x; k++) {
            float dx = tile[k].x - me.x, dy = tile[k].y - me.y, dz = tile[k].z - me.z;
            float inverse = rsqrtf(dx * dx + dy * dy + dz * dz + 0.01f), f = tile[k].w * inverse * inverse * inverse;
            force.x += dx * f;
            force.y += dy * f;
            force.z += dz * f;
        }
        __syncthreads();
    }
    float4 v = speeds[i];
    v.x += force.x * dt;
    v.y += force.y * dt;
    v.z += force.z * dt;
    speeds[i] = v;
}

__global__ void nearest_centre(const float *points, const float *centres, int *nearest, int n, int k, int dimensions)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float least = 1e30f;
    int best = 0;
    for (int c = 0; c < k; c++) {
        float sum = 0;
        for (int d = 0; d < dimensions; d++) {
            float difference = points[d * n + i] - centres[c * dimensions + d];
            sum += difference * difference;
        }
        if (sum < least)
            least = sum, best = c;
    }
    nearest[i] = best;
}

__global__ void edit_distance(const char *a, const char *b, int *row, int n, int m)
{
    __shared__ int now[256], before[256];
    int j = threadIdx.x;
    before[j] = j;
    __syncthreads();
    for (int i = 1; i <= n; i++) {
        int cost = j == 0 ? i : before[j - 1] + (a[i - 1] != b[j - 1]);
        now[j] = min(cost, before[j] + 1);
        __syncthreads();
        for (int step = 1; step < 256; step *= 2) {
            int left = j >= step ? now[j - step] + step : 1 << 20;
            __syncthreads();
            now[j] = min(now[j], left);
            __syncthreads();
        }
        before[j] = now[j];
        __syncthreads();
    }
    row[j] = now[j];
}

template <int UNROLL>
__global__ void unrolled_copy(const int4 *in, int4 *out, int n)
{
    int i = blockIdx.x * blockDim.x * UNROLL + threadIdx.x;
    int4 v[UNROLL];
    for (int k = 0; k < UNROLL; k++)
        if (i + k * blockDim.x < n)
            v[k] = in[i + k * blockDim.x];
    for (int k = 0; k < UNROLL; k++)
        if (i + k * blockDim.x < n)
            out[i + k * blockDim.x] = v[k];
}
template __global__ void unrolled_copy<2>(const int4 *, int4 *, int);
template __global__ void unrolled_copy<4>(const int4 *, int4 *, int);
template __global__ void unrolled_copy<8>(const int4 *, int4 *, int);

__global__ void fill(int *out, int value, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        out[i] = value;
}

__global__ void nothing() {}

__global__ void copy_bytes(const char *in, char *out, size_t n)
{
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n; i += (size_t)gridDim.x * blockDim.x)
        out[i] = in[i];
}

struct options {
    int kind, limit;
    float scale, bias;
    const float *table;
};

__global__ void with_structure(options o, const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n || i >= o.limit)
        return;
    float v = in[i] * o.scale + o.bias;
    if (o.kind == 1)
        v = o.table[i % 16];
    else if (o.kind == 2)
        v += o.table[(int)v & 15];
    out[i] = v;
}

__global__ void stop_if_wrong(const int *in, int *out)
{
    if (in[threadIdx.x] < 0)
        __trap();
    out[threadIdx.x] = in[threadIdx.x];
}

__global__ void measure(const float *in, float *out, long long *cycles)
{
    long long start = clock64();
    float sum = 0;
    for (int i = 0; i < 64; i++)
        sum += in[i * 32 + threadIdx.x];
    out[threadIdx.x] = sum;
    cycles[threadIdx.x] = clock64() - start;
}

__device__ int counter;
__device__ float table_of_weights[64];

__global__ void with_globals(float *out)
{
    int i = atomicAdd(&counter, 1);
    out[i] = table_of_weights[i % 64];
}

__global__ void local_array(const int *in, int *out, int n)
{
    int heap[16];
#pragma unroll 1
    for (int i = 0; i < 16; i++)
        heap[i] = in[i * 32 + threadIdx.x];
#pragma unroll 1
    for (int i = 0; i < n; i++) {
        int at = heap[i & 15] & 15;
        heap[at] += i;
    }
    out[threadIdx.x] = heap[n & 15];
}
