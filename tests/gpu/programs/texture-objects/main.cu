#include "gpu.h"

__global__ void sample(cudaTextureObject_t image, cudaTextureObject_t row, float *out);

static cudaTextureObject_t texture_of(cudaResourceDesc resource, cudaTextureFilterMode filter, bool normalized)
{
    cudaTextureDesc how = {};
    how.addressMode[0] = how.addressMode[1] = normalized ? cudaAddressModeWrap : cudaAddressModeClamp;
    how.filterMode = filter;
    how.readMode = cudaReadModeElementType;
    how.normalizedCoords = normalized;
    cudaTextureObject_t texture;
    CHECK(cudaCreateTextureObject(&texture, &resource, &how, nullptr));
    return texture;
}

int main()
{
    std::vector<float> pixels(16 * 16);
    for (int i = 0; i < 256; i++)
        pixels[i] = i % 16 * 0.5f + i / 16;
    cudaArray_t array;
    cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    CHECK(cudaMallocArray(&array, &format, 16, 16));
    CHECK(cudaMemcpy2DToArray(array, 0, 0, pixels.data(), 64, 64, 16, cudaMemcpyHostToDevice));
    cudaResourceDesc image = {}, row = {};
    image.resType = cudaResourceTypeArray;
    image.res.array.array = array;
    Array<float> line(pixels);
    row.resType = cudaResourceTypeLinear;
    row.res.linear.devPtr = line;
    row.res.linear.desc = format;
    row.res.linear.sizeInBytes = 1024;

    Array<float> out(3 * 64);
    sample<<<1, 64>>>(texture_of(image, cudaFilterModeLinear, true), texture_of(row, cudaFilterModePoint, false), out);
    FINISH();
    out.print("samples", 12);
}
