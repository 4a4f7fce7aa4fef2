#include "gpu.h"

extern __constant__ cudaTextureObject_t textures[3];
__global__ void look(float *out);

static cudaTextureObject_t make(int layers, unsigned flags)
{
    const int side = 8;
    std::vector<float> voxels(side * side * layers);
    for (size_t i = 0; i < voxels.size(); i++)
        voxels[i] = i * 0.5f + flags;
    cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    cudaArray_t array;
    CHECK(cudaMalloc3DArray(&array, &format, make_cudaExtent(side, side, layers), flags));
    cudaMemcpy3DParms copy = {};
    copy.srcPtr = make_cudaPitchedPtr(voxels.data(), side * sizeof(float), side, side);
    copy.dstArray = array;
    copy.extent = make_cudaExtent(side, side, layers);
    copy.kind = cudaMemcpyHostToDevice;
    CHECK(cudaMemcpy3D(&copy));
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    cudaTextureDesc how = {};
    how.filterMode = flags == cudaArrayCubemap ? cudaFilterModePoint : cudaFilterModeLinear;
    how.normalizedCoords = flags == cudaArrayCubemap;
    cudaTextureObject_t texture;
    CHECK(cudaCreateTextureObject(&texture, &resource, &how, nullptr));
    return texture;
}

int main()
{
    cudaTextureObject_t made[3] = {make(8, 0), make(4, cudaArrayLayered), make(6, cudaArrayCubemap)};
    CHECK(cudaMemcpyToSymbol(textures, made, sizeof made));
    Array<float> out(3 * 32);
    look<<<1, 32>>>(out);
    FINISH();
    out.print("texels", 9);
}
