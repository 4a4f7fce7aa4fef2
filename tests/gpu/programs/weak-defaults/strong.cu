template <int N> __device__ int step(int x);

template <> __device__ int step<2>(int x)
{
    return x ^ 0x11;
}
