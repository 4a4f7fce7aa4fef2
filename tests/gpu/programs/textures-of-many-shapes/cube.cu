__constant__ cudaTextureObject_t textures[3];

__device__ float cube(int i)
{
    float x = i % 3 - 1.f, y = i % 5 - 2.f, z = i % 7 - 3.f;
    return texCubemap<float>(textures[2], x + 0.1f, y + 0.2f, z + 0.3f);
}
