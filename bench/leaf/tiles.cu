// Unrolled kernels in several shapes, as libraries make them of templates: products of matrices, a
// stencil, forces between bodies, a step of a bitonic sort.
template <int ROWS, int COLUMNS, int DEPTH>
__global__ void
multiply(const float *a, const float *b, float *c, int n)
{
    __shared__ float left[DEPTH][16 * ROWS], right[DEPTH][16 * COLUMNS];
    float sums[ROWS][COLUMNS] = {};
    int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * 16 * ROWS, column = blockIdx.x * 16 * COLUMNS;

    for (int k = 0; k < n; k += DEPTH) {
        for (int i = y; i < DEPTH; i += 16) {
            for (int j = 0; j < ROWS; j++)
                left[i][x + 16 * j] = a[(row + x + 16 * j) * n + k + i];
            for (int j = 0; j < COLUMNS; j++)
                right[i][x + 16 * j] = b[(k + i) * n + column + x + 16 * j];
        }
        __syncthreads();
#pragma unroll
        for (int i = 0; i < DEPTH; i++)
            for (int r = 0; r < ROWS; r++)
                for (int s = 0; s < COLUMNS; s++)
                    sums[r][s] += left[i][y + 16 * r] * right[i][x + 16 * s];
        __syncthreads();
    }
    for (int r = 0; r < ROWS; r++)
        for (int s = 0; s < COLUMNS; s++)
            c[(row + y + 16 * r) * n + column + x + 16 * s] = sums[r][s];
}

template <int RADIUS, typename T>
__global__ void
stencil(const T *in, T *out, const T *weights, int nx, int ny, int nz)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    long plane = (long)nx * ny, at = (long)y * nx + x;
    T column[2 * RADIUS + 1];

    if (x < RADIUS || y < RADIUS || x >= nx - RADIUS || y >= ny - RADIUS)
        return;
    for (int i = 0; i < 2 * RADIUS; i++)
        column[i] = in[at + i * plane];
    for (int z = RADIUS; z < nz - RADIUS; z++) {
        const T *here = in + at + z * plane;
        column[2 * RADIUS] = here[RADIUS * plane];
        T sum = weights[0] * column[RADIUS];
#pragma unroll
        for (int r = 1; r <= RADIUS; r++)
            sum += weights[r] * (here[r] + here[-r] + here[r * nx] + here[-r * nx]
                                 + column[RADIUS - r] + column[RADIUS + r]);
        out[at + z * plane] = sum;
        for (int i = 0; i < 2 * RADIUS; i++)
            column[i] = column[i + 1];
    }
}

template <int UNROLLED>
__global__ void
forces(const float4 *bodies, float3 *out, int n, float softening)
{
    __shared__ float4 tile[256];
    int self = blockIdx.x * 256 + threadIdx.x;
    float4 own = bodies[self];
    float3 force = {0, 0, 0};

    for (int start = 0; start < n; start += 256) {
        tile[threadIdx.x] = bodies[start + threadIdx.x];
        __syncthreads();
#pragma unroll UNROLLED
        for (int i = 0; i < 256; i++) {
            float4 other = tile[i];
            float dx = other.x - own.x, dy = other.y - own.y, dz = other.z - own.z;
            float inverse = rsqrtf(dx * dx + dy * dy + dz * dz + softening);
            float strength = other.w * inverse * inverse * inverse;
            force.x += dx * strength;
            force.y += dy * strength;
            force.z += dz * strength;
        }
        __syncthreads();
    }
    out[self] = force;
}

template <typename T, int COUNT>
__global__ void
sort_block(T *keys)
{
    __shared__ T shared[256 * COUNT];

    for (int i = 0; i < COUNT; i++)
        shared[threadIdx.x + 256 * i] = keys[blockIdx.x * 256 * COUNT + threadIdx.x + 256 * i];
#pragma unroll
    for (int size = 2; size <= 256 * COUNT; size *= 2)
#pragma unroll
        for (int stride = size / 2; stride > 0; stride /= 2) {
            __syncthreads();
            for (int i = 0; i < COUNT / 2; i++) {
                int at = threadIdx.x + 256 * i, low = 2 * at - (at & (stride - 1));
                T first = shared[low], second = shared[low + stride];
                if ((first > second) == !(low & size)) {
                    shared[low] = second;
                    shared[low + stride] = first;
                }
            }
        }
    __syncthreads();
    for (int i = 0; i < COUNT; i++)
        keys[blockIdx.x * 256 * COUNT + threadIdx.x + 256 * i] = shared[threadIdx.x + 256 * i];
}

template __global__ void multiply<2, 2, 16>(const float *, const float *, float *, int);
template __global__ void multiply<4, 4, 16>(const float *, const float *, float *, int);
template __global__ void multiply<8, 4, 8>(const float *, const float *, float *, int);
template __global__ void stencil<2, float>(const float *, float *, const float *, int, int, int);
template __global__ void stencil<4, float>(const float *, float *, const float *, int, int, int);
template __global__ void stencil<3, double>(const double *, double *, const double *, int, int, int);
template __global__ void forces<16>(const float4 *, float3 *, int, float);
template __global__ void forces<64>(const float4 *, float3 *, int, float);
template __global__ void sort_block<int, 2>(int *);
template __global__ void sort_block<float, 4>(float *);
