__device__ float wide(float x)
{
    float v[40];
#pragma unroll
    for (int i = 0; i < 40; i++)
        v[i] = x * i + 1.f / (i + x + 1);
#pragma unroll
    for (int round = 0; round < 3; round++)
#pragma unroll
        for (int i = 0; i < 40; i++)
            v[i] = v[i] * 0.5f + v[(i * 7 + 3) % 40] * 0.25f;
    float sum = 0;
#pragma unroll
    for (int i = 0; i < 40; i++)
        sum += v[i];
    return sum;
}
