__device__ float single_precision(float x)
{
    float positive = fabsf(x) + 0.5f;
    return sinf(x) + tanf(x) + powf(positive, 1.3f) + logf(positive) + erff(x) + fmodf(x, 0.7f) + cbrtf(x) +
           exp10f(x / 1e6f) + rcbrtf(positive) + lgammaf(positive) / 1e6f + 1.f / x + ldexpf(x, 3) + nextafterf(x, 9e9f);
}
