extern __constant__ cudaTextureObject_t textures[3];
__device__ float cube(int i);

__global__ void look(float *out)
{
    int i = threadIdx.x;
    out[3 * i] = tex3D<float>(textures[0], i * 0.2f, 1.5f, i * 0.1f);
    out[3 * i + 1] = tex2DLayered<float>(textures[1], 2.25f, i * 0.25f, i % 4);
    out[3 * i + 2] = cube(i);
}
