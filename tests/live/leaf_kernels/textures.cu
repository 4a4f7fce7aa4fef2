// Textures and surfaces.
__global__ void texture_row(cudaTextureObject_t image, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = tex1D<float>(image, i + 0.5f) * 2;
}

__global__ void texture_linear(cudaTextureObject_t image, const int *index, float4 *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = tex1Dfetch<float4>(image, index[i]);
}

__global__ void texture_blur(cudaTextureObject_t image, float *out, int w, int h)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    float sum = 0;
    for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++)
            sum += tex2D<float>(image, x + dx, y + dy);
    if (x < w && y < h)
        out[y * w + x] = sum / 9;
}

__global__ void texture_rotate(cudaTextureObject_t image, uchar4 *out, int w, int h, float angle)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    float u = x - w / 2, v = y - h / 2, c = __cosf(angle), s = __sinf(angle);
    float4 t = tex2D<float4>(image, u * c - v * s + w / 2, u * s + v * c + h / 2);
    if (x < w && y < h)
        out[y * w + x] = make_uchar4(t.x * 255, t.y * 255, t.z * 255, t.w * 255);
}

__global__ void texture_volume(cudaTextureObject_t volume, float *out, int w, int h, int depth, float threshold)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= w || y >= h)
        return;
    float sum = 0;
    for (int z = 0; z < depth && sum < threshold; z++)
        sum += tex3D<float>(volume, x, y, z);
    out[y * w + x] = sum;
}

__global__ void texture_layers(cudaTextureObject_t image, float *out, int layers)
{
    int x = threadIdx.x;
    for (int i = 0; i < layers; i++)
        out[i * blockDim.x + x] = tex2DLayered<float>(image, x * 0.1f, x * 0.2f, i);
}

__global__ void texture_mip(cudaTextureObject_t image, float4 *out, float level)
{
    int i = threadIdx.x;
    out[i] = tex2DLod<float4>(image, i * 0.01f, i * 0.02f, level);
}

__global__ void texture_gather(cudaTextureObject_t image, float4 *out)
{
    int i = threadIdx.x;
    out[i] = tex2Dgather<float4>(image, i * 0.5f, 0.25f, 1);
}

__global__ void texture_cube(cudaTextureObject_t image, const float3 *directions, float *out)
{
    float3 d = directions[threadIdx.x];
    out[threadIdx.x] = texCubemap<float>(image, d.x, d.y, d.z);
}

__global__ void surface_copy(cudaSurfaceObject_t in, cudaSurfaceObject_t out, int w, int h)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < w && y < h) {
        uchar4 value;
        surf2Dread(&value, in, x * 4, y);
        value.x = 255 - value.x;
        surf2Dwrite(value, out, x * 4, y);
    }
}

__global__ void surface_fill(cudaSurfaceObject_t out, float value, int w)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    if (x < w)
        surf1Dwrite(value * x, out, x * 4);
}

__global__ void texture_and_memory(cudaTextureObject_t image, const float *weights, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float w = weights[i], a = tex2D<float>(image, w, 0.0f), b = tex2D<float>(image, w, 1.0f);
    out[i] = a * w + b * (1 - w) + weights[n - 1 - i];
}
