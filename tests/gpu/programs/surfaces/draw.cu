__device__ uchar4 shade(int x, int y);

__global__ void draw(cudaSurfaceObject_t surface, int width)
{
    surf2Dwrite(shade(threadIdx.x, threadIdx.y), surface, threadIdx.x * 4, threadIdx.y);
}
