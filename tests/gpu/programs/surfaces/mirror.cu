__device__ uchar4 shade(int x, int y)
{
    return make_uchar4(x * 7, y * 5, x ^ y, 255);
}

__global__ void mirror(cudaSurfaceObject_t from, cudaSurfaceObject_t to, int width)
{
    uchar4 pixel;
    surf2Dread(&pixel, from, (width - 1 - threadIdx.x) * 4, threadIdx.y);
    pixel.w = shade(pixel.x, pixel.y).z;
    surf2Dwrite(pixel, to, threadIdx.x * 4, threadIdx.y, cudaBoundaryModeClamp);
}
