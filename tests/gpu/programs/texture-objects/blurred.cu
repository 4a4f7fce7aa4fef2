__device__ float blurred(cudaTextureObject_t image, float x, float y)
{
    float sum = 0;
    for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++)
            sum += tex2D<float>(image, x + dx / 16.f, y + dy / 16.f);
    return sum / 9;
}
