template <typename T, int N>
__device__ __noinline__ T
mix(T x)
{
    T a[N];
    for (int i = 0; i < N; i++)
        a[i] = x * (T)(i + 1);
    T sum = 0;
    for (int i = 0; i < N; i++)
        sum += a[(i * 7) % N];
    return sum;
}
