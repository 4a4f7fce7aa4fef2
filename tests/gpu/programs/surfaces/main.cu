#include "gpu.h"

__global__ void draw(cudaSurfaceObject_t surface, int width);
__global__ void mirror(cudaSurfaceObject_t from, cudaSurfaceObject_t to, int width);

static cudaSurfaceObject_t surface_of(cudaArray_t array)
{
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    cudaSurfaceObject_t surface;
    CHECK(cudaCreateSurfaceObject(&surface, &resource));
    return surface;
}

int main()
{
    const int width = 32;
    cudaArray_t arrays[2];
    cudaChannelFormatDesc format = cudaCreateChannelDesc<uchar4>();
    for (cudaArray_t &array : arrays)
        CHECK(cudaMallocArray(&array, &format, width, width, cudaArraySurfaceLoadStore));
    cudaSurfaceObject_t first = surface_of(arrays[0]), second = surface_of(arrays[1]);
    draw<<<1, dim3(width, width)>>>(first, width);
    mirror<<<1, dim3(width, width)>>>(first, second, width);
    FINISH();
    std::vector<uchar4> pixels(width * width);
    CHECK(cudaMemcpy2DFromArray(pixels.data(), width * 4, arrays[1], 0, 0, width * 4, width, cudaMemcpyDeviceToHost));
    printf("%d %d %d %d, checksum %08x\n", pixels[5].x, pixels[5].y, pixels[5].z, pixels[5].w,
           checksum(pixels.data(), pixels.size() * 4));
}
