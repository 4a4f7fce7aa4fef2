__device__ float narrow(float x)
{
    float v[12], sum = 0;
#pragma unroll
    for (int i = 0; i < 12; i++)
        v[i] = sinf(x + i);
#pragma unroll
    for (int i = 0; i < 12; i++)
        sum += v[i] * v[11 - i];
    return sum;
}
