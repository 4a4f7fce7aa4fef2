__device__ float blurred(cudaTextureObject_t image, float x, float y);

__global__ void sample(cudaTextureObject_t image, cudaTextureObject_t row, float *out)
{
    int i = threadIdx.x;
    out[3 * i] = tex2D<float>(image, i / 32.f, i / 16.f);
    out[3 * i + 1] = blurred(image, i / 64.f, 0.3f);
    out[3 * i + 2] = tex1Dfetch<float>(row, 3 * i);
}
