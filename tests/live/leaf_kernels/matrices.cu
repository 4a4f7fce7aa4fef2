// Products, transposes, factorisations, sparse matrices.
template <typename T, int TILE>
__global__ void multiply_tiles(const T *a, const T *b, T *c, int n)
{
    __shared__ T x[TILE][TILE], y[TILE][TILE];
    int row = blockIdx.y * TILE + threadIdx.y, column = blockIdx.x * TILE + threadIdx.x;
    T sum = 0;
    for (int k = 0; k < n; k += TILE) {
        x[threadIdx.y][threadIdx.x] = a[row * n + k + threadIdx.x];
        y[threadIdx.y][threadIdx.x] = b[(k + threadIdx.y) * n + column];
        __syncthreads();
        for (int i = 0; i < TILE; i++)
            sum += x[threadIdx.y][i] * y[i][threadIdx.x];
        __syncthreads();
    }
    c[row * n + column] = sum;
}
template __global__ void multiply_tiles<float, 16>(const float *, const float *, float *, int);
template __global__ void multiply_tiles<float, 32>(const float *, const float *, float *, int);
template __global__ void multiply_tiles<double, 8>(const double *, const double *, double *, int);
template __global__ void multiply_tiles<int, 16>(const int *, const int *, int *, int);

__global__ void multiply_plain(const float *a, const float *b, float *c, int m, int n, int k)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y, column = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= m || column >= n)
        return;
    float sum = 0;
    for (int i = 0; i < k; i++)
        sum += a[row * k + i] * b[i * n + column];
    c[row * n + column] = sum;
}

template <int WIDTH>
__global__ void multiply_in_registers(const float *a, const float *b, float *c, int n)
{
    float sums[WIDTH][WIDTH] = {};
    int row = (blockIdx.y * blockDim.y + threadIdx.y) * WIDTH, column = (blockIdx.x * blockDim.x + threadIdx.x) * WIDTH;
    for (int k = 0; k < n; k++) {
        float x[WIDTH], y[WIDTH];
        for (int i = 0; i < WIDTH; i++) {
            x[i] = a[(row + i) * n + k];
            y[i] = b[k * n + column + i];
        }
        for (int i = 0; i < WIDTH; i++)
            for (int j = 0; j < WIDTH; j++)
                sums[i][j] += x[i] * y[j];
    }
    for (int i = 0; i < WIDTH; i++)
        for (int j = 0; j < WIDTH; j++)
            c[(row + i) * n + column + j] = sums[i][j];
}
template __global__ void multiply_in_registers<2>(const float *, const float *, float *, int);
template __global__ void multiply_in_registers<4>(const float *, const float *, float *, int);

template <typename T>
__global__ void transpose(const T *in, T *out, int w, int h)
{
    __shared__ T tile[32][33];
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    for (int i = 0; i < 32; i += 8)
        if (x < w && y + i < h)
            tile[threadIdx.y + i][threadIdx.x] = in[(y + i) * w + x];
    __syncthreads();
    x = blockIdx.y * 32 + threadIdx.x;
    y = blockIdx.x * 32 + threadIdx.y;
    for (int i = 0; i < 32; i += 8)
        if (x < h && y + i < w)
            out[(y + i) * h + x] = tile[threadIdx.x][threadIdx.y + i];
}
template __global__ void transpose<float>(const float *, float *, int, int);
template __global__ void transpose<double>(const double *, double *, int, int);
template __global__ void transpose<short>(const short *, short *, int, int);
template __global__ void transpose<float4>(const float4 *, float4 *, int, int);

__global__ void multiply_vector(const float *a, const float *x, float *y, int n)
{
    int row = blockIdx.x, lane = threadIdx.x;
    float sum = 0;
    for (int i = lane; i < n; i += 32)
        sum += a[row * n + i] * __ldg(x + i);
    for (int step = 16; step; step /= 2)
        sum += __shfl_down_sync(~0u, sum, step);
    if (lane == 0)
        y[row] = sum;
}

__global__ void multiply_sparse(const int *rows, const int *columns, const float *values, const float *x, float *y, int n)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= n)
        return;
    float sum = 0;
    for (int i = rows[row]; i < rows[row + 1]; i++)
        sum += values[i] * x[columns[i]];
    y[row] = sum;
}

__global__ void multiply_ell(const int *columns, const double *values, const double *x, double *y, int n, int width)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < n) {
        double sum = 0;
        for (int k = 0; k < width; k++) {
            int column = columns[k * n + row];
            if (column >= 0)
                sum += values[k * n + row] * x[column];
        }
        y[row] = sum;
    }
}

__global__ void eliminate(float *a, int n, int k)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y + k + 1, column = blockIdx.x * blockDim.x + threadIdx.x + k;
    if (row < n && column < n)
        a[row * n + column] -= __fdividef(a[row * n + k], a[k * n + k]) * a[k * n + column];
}

__global__ void cholesky_column(double *a, int n, int k)
{
    __shared__ double pivot;
    if (threadIdx.x == 0)
        pivot = a[k * n + k] = __dsqrt_rn(a[k * n + k]);
    __syncthreads();
    double inverse = __drcp_rn(pivot);
    for (int i = k + 1 + threadIdx.x; i < n; i += blockDim.x)
        a[i * n + k] *= inverse;
}

__global__ void rotate(float *x, float *y, float c, float s, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        float a = x[i], b = y[i];
        x[i] = c * a + s * b;
        y[i] = c * b - s * a;
    }
}

__global__ void axpy(float a, const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = a * x[i] + y[i];
}

__global__ void axpy_vectors(double a, const double2 *x, double2 *y, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        double2 u = x[i], v = y[i];
        v.x += a * u.x;
        v.y += a * u.y;
        y[i] = v;
    }
}

__global__ void floyd(int *distance, int n, int k)
{
    int i = blockIdx.y * blockDim.y + threadIdx.y, j = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && j < n)
        distance[i * n + j] = min(distance[i * n + j], distance[i * n + k] + distance[k * n + j]);
}

__global__ void identity(float *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
    if (i < n && j < n)
        a[j * n + i] = i == j;
}
