__device__ long long quotients(long long a, long long b)
{
    return a / b + a % b * 3 + (int)a / (int)b + (unsigned)a % (unsigned)b + (long long)((double)a / (double)b * 1e-3);
}
