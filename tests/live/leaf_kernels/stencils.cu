// Neighbours on grids: heat, waves, convolutions, life, images.
__global__ void heat(const float *in, float *out, int w, int h, float k)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < 1 || y < 1 || x >= w - 1 || y >= h - 1)
        return;
    int i = y * w + x;
    out[i] = in[i] + k * (in[i - 1] + in[i + 1] + in[i - w] + in[i + w] - 4 * in[i]);
}

template <int RADIUS, int TILE>
__global__ void stencil_row(const float *in, float *out, const float *weights, int n)
{
    __shared__ float tile[TILE + 2 * RADIUS];
    int i = blockIdx.x * TILE + threadIdx.x;
    tile[threadIdx.x + RADIUS] = i < n ? in[i] : 0;
    if (threadIdx.x < RADIUS) {
        tile[threadIdx.x] = i >= RADIUS ? in[i - RADIUS] : 0;
        tile[threadIdx.x + TILE + RADIUS] = i + TILE < n ? in[i + TILE] : 0;
    }
    __syncthreads();
    float sum = 0;
    for (int k = -RADIUS; k <= RADIUS; k++)
        sum += weights[k + RADIUS] * tile[threadIdx.x + RADIUS + k];
    if (i < n)
        out[i] = sum;
}
template __global__ void stencil_row<1, 128>(const float *, float *, const float *, int);
template __global__ void stencil_row<3, 256>(const float *, float *, const float *, int);
template __global__ void stencil_row<8, 256>(const float *, float *, const float *, int);

__constant__ float mask_of_convolution[25];

__global__ void convolve(const float *in, float *out, int w, int h)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    float sum = 0;
    for (int dy = -2; dy <= 2; dy++)
        for (int dx = -2; dx <= 2; dx++) {
            int u = min(max(x + dx, 0), w - 1), v = min(max(y + dy, 0), h - 1);
            sum += in[v * w + u] * mask_of_convolution[(dy + 2) * 5 + dx + 2];
        }
    if (x < w && y < h)
        out[y * w + x] = sum;
}

__global__ void wave(const double *now, const double *before, double *after, int nx, int ny, int nz, double c)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x + 1, y = blockIdx.y * blockDim.y + threadIdx.y + 1;
    if (x >= nx - 1 || y >= ny - 1)
        return;
    size_t plane = (size_t)nx * ny, i = plane + (size_t)y * nx + x;
    double below = now[i - plane], here = now[i];
    for (int z = 1; z < nz - 1; z++, i += plane) {
        double above = now[i + plane];
        double sum = now[i - 1] + now[i + 1] + now[i - nx] + now[i + nx] + below + above - 6 * here;
        after[i] = 2 * here - before[i] + c * sum;
        below = here;
        here = above;
    }
}

__global__ void life(const unsigned char *in, unsigned char *out, int w, int h)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= w || y >= h)
        return;
    int count = 0;
    for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++)
            if (dx || dy)
                count += in[(y + dy + h) % h * w + (x + dx + w) % w];
    out[y * w + x] = count == 3 || (count == 2 && in[y * w + x]);
}

__global__ void sobel(const unsigned char *in, unsigned char *out, int w, int h)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < 1 || y < 1 || x >= w - 1 || y >= h - 1)
        return;
    const unsigned char *p = in + y * w + x;
    int gx = p[1 - w] + 2 * p[1] + p[1 + w] - p[-1 - w] - 2 * p[-1] - p[-1 + w];
    int gy = p[w - 1] + 2 * p[w] + p[w + 1] - p[-w - 1] - 2 * p[-w] - p[-w + 1];
    out[y * w + x] = min(255, abs(gx) + abs(gy));
}

__global__ void median(const float *in, float *out, int w, int h)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x + 1, y = blockIdx.y * blockDim.y + threadIdx.y + 1;
    if (x >= w - 1 || y >= h - 1)
        return;
    float v[9];
    for (int k = 0; k < 9; k++)
        v[k] = in[(y + k / 3 - 1) * w + x + k % 3 - 1];
    for (int i = 0; i < 5; i++)
        for (int j = i + 1; j < 9; j++)
            if (v[j] < v[i]) {
                float swap = v[i];
                v[i] = v[j];
                v[j] = swap;
            }
    out[y * w + x] = v[4];
}

__global__ void gray(const uchar4 *in, unsigned char *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        uchar4 c = in[i];
        out[i] = (unsigned char)(0.299f * c.x + 0.587f * c.y + 0.114f * c.z);
    }
}

__global__ void mandelbrot(int *out, int w, int h, float x0, float y0, float scale, int limit)
{
    int px = blockIdx.x * blockDim.x + threadIdx.x, py = blockIdx.y * blockDim.y + threadIdx.y;
    float cx = x0 + px * scale, cy = y0 + py * scale, x = 0, y = 0;
    int n = 0;
    while (x * x + y * y < 4 && n < limit) {
        float t = x * x - y * y + cx;
        y = 2 * x * y + cy;
        x = t;
        n++;
    }
    if (px < w && py < h)
        out[py * w + px] = n;
}

__global__ void advect(const float2 *velocity, const float *in, float *out, int w, int h, float dt)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= w || y >= h)
        return;
    float2 v = velocity[y * w + x];
    float fx = fminf(fmaxf(x - dt * v.x, 0), w - 1.001f), fy = fminf(fmaxf(y - dt * v.y, 0), h - 1.001f);
    int ix = (int)fx, iy = (int)fy;
    float ax = fx - ix, ay = fy - iy;
    const float *p = in + iy * w + ix;
    out[y * w + x] = (1 - ay) * ((1 - ax) * p[0] + ax * p[1]) + ay * ((1 - ax) * p[w] + ax * p[w + 1]);
}
